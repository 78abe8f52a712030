"""Which of a program's values are predictable."""

from __future__ import annotations

# For each array or list of tensors in an item that a program yields, in order, or one word for all of them: "exact",
# "close" (resized: some values are a step off), "drawn" (see claims.py). Programs that are not listed are exact.
KINDS = {
    "augmented_now_and_then": "drawn drawn",
    "auto_augmented_vit": "drawn",
    "byol_views": "drawn",
    "checkpoints": "drawn",
    "cifar_iter_setup": "drawn exact exact",
    "common_pipeline": "drawn exact",
    "decoded_windows": "exact exact exact drawn drawn",
    "detection_patches": "drawn drawn drawn drawn drawn exact exact exact",
    "drawn_of_a_list": "drawn",
    "endless_training": "drawn",
    "fast_resize_pipe": "close exact",
    "fed_by_name": "close",
    "hybrid_train_pipe": "drawn exact",
    "hybrid_val_pipe": "close exact",
    "images_and_masks": "drawn",
    "imagenet_training": "drawn",
    "imagenet_validation": "close exact",
    "insightface": "drawn exact",
    "key_points": "close close close exact",
    "letterbox": "close",
    "mask_postprocessing": "exact exact exact exact exact exact drawn",
    "method_pipeline": "close exact",
    "mixed_within_batches": "drawn",
    "module_loader": "close exact",
    "multi_crop": "drawn drawn drawn drawn drawn exact",
    "names_as_data": "close close exact",
    "nnunet_augmentation": "close exact close",
    "op_sets": "drawn drawn",
    "op_sets_of_draws": "drawn drawn exact",
    "ops_multiplexing": "drawn exact drawn drawn exact",
    "paddle_style": "close exact",
    "photographed_pages": "close close close close close",
    "random_crop_and_mirror": "drawn exact exact drawn drawn drawn",
    "random_resized_crop": "drawn exact drawn drawn drawn drawn drawn",
    "resize_modes": "close",
    "retinanet_validation": "close exact exact exact exact",
    "rotated_boxes": "close close exact close",
    "sharpness_scores": "close close close close close exact",
    "shuffled_epochs": "drawn",
    "sound_spectrograms": "close",
    "speech_features": "close exact exact exact exact exact",
    "ssd_training": "drawn",
    "stylegan_faces": "close close exact",
    "super_resolution": "exact exact close",
    "text_lines": "close exact exact close exact",
    "turned_clips": "close close close",
    "two_pipelines": "close exact",
    "unet3d_volumes": "exact exact close",
    "unet3d_training": "drawn",
    "validation_crop": "close exact",
    "video_clips": "close exact exact",
    "video_training": "close exact exact",
    "wide_areas": "drawn exact",
}

# It must fork before JAX has started.
IN_A_PROCESS_OF_ITS_OWN = {"parallel_fork"}

# Programs whose iterator cuts the last batch, and the samples of an epoch. DALI's iterator for JAX lacks that policy:
# `running` lets it fill the batch, and cuts off what was filled in.
PARTIAL = {"hybrid_val_pipe": 6, "method_pipeline": 6}


def kinds(name: str, leaves: int) -> list[str]:
    """Returns the kind of each leaf of an item that a program yields."""
    words = KINDS.get(name, "exact").split()
    found = words * leaves if len(words) == 1 else words
    assert len(found) == leaves, f"{name} yields {leaves} arrays at once, but KINDS has {len(words)} words"
    return found

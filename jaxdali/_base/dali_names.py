"""Every public name of NVIDIA DALI 2.4.0, by module, and what to use instead of those that jaxdali will never have.

A test compares the names with DALI's own modules. The page "names", made by docs/generate.py, says which names jaxdali
has.
"""

from __future__ import annotations

__all__ = ["MODULES_TO_COME", "NAMES", "hint_for", "is_to_come", "meanwhile"]

_NO_OPERATORS = "C++ operators of your own cannot be loaded; dir(jaxdali.ops) lists all operators"
_NO_LIBRARIES = "that is DALI's C++ side; `jaxdali doctor` lists the libraries"
_MEMORY = "memory of devices belongs to XLA (XLA_PYTHON_CLIENT_PREALLOCATE, ...); SetDeviceBufferGrowthFactor is here"
_STREAMS = "XLA orders what runs on devices; pass your own streams as cuda_stream="
_OLD = "DALI's namespace for names that live elsewhere; import them from there"

# By module and name, what to use instead of names that jaxdali does not have and will not have.
_HINTS: dict[str, dict[str, str]] = {
    "": {
        "data_node": "nodes are jaxdali.pipeline.DataNode",
        "external_source": "use jaxdali.fn.external_source",
        "internal": "that is internal to DALI",
        "plugin_manager": _NO_OPERATORS,
        "python_function_plugin": _NO_OPERATORS,
        "reducers": "py_callback_pickler= takes a module with dumps and loads, see jaxdali.pickling",
        "sysconfig": _NO_OPERATORS,
    },
    "Pipeline": {
        "empty": "iterate over the pipeline, or call run until StopIteration",
        "output_stream": _STREAMS,
    },
    "plugin.jax": {
        "f": "that is internal to DALI",
        "integration": "outputs are jax.Arrays; jax.dlpack reads what run returns",
    },
    "types": {"dali_type_converters": "to_dali_type knows types of frameworks by their names"},
    "backend": {
        **dict.fromkeys(("CUDAStreamSynchronize", "Stream", "GetCUDAStreamDevice"), _STREAMS),
        **dict.fromkeys(
            ("GetCUDACurrentDevice", "GetCUDADeviceCount", "SetCUDACurrentDevice", "IsDriverInitialized"),
            "jax.devices() tells which devices there are",
        ),
        **dict.fromkeys(
            (
                *("GetCudaVersion", "GetCufftVersion", "GetCxx11AbiFlag", "GetNppVersion", "GetNvimgcodecVersion"),
                *("GetNvjpegVersion", "GetOpenCVVersion", "Init", "check_cuda_runtime", "cuda_checked", "initialized"),
            ),
            _NO_LIBRARIES,
        ),
        **dict.fromkeys(
            (
                *("GetSchema", "GetSchemaAndTarget", "TryGetSchema", "OpSchema", "OpSpec", "LoadDefaultPlugins"),
                *("LoadDirectory", "LoadLibrary", "RegisteredCPUOps", "RegisteredGPUOps", "RegisteredMixedOps"),
            ),
            _NO_OPERATORS,
        ),
        **dict.fromkeys(
            ("PreallocateDeviceMemory", "PreallocatePinnedMemory", "ReleaseUnusedMemory", "RestrictPinnedMemUsage"),
            _MEMORY,
        ),
        **dict.fromkeys(("Pipeline", "PipelineDebug"), "use jaxdali.Pipeline"),
        **dict.fromkeys(("CheckDLPackCapsule", "DLDeviceType"), "arrays are read by __dlpack__; give them as they are"),
        "ExternalContextCheckpoint": "use Pipeline.checkpoint",
        "SharedMem": "workers have shared memory of their own; bytes_per_sample_hint= sets its size",
        "deprecation_warning": "use warnings.warn",
    },
}
_NO_OPERATOR = {
    "optical_flow": "NVIDIA's engine for optical flow is not used; compute it beforehand, or in a jitted function of yours",
    "dump_image": "`jaxdali view` shows images; or save what Pipeline.run returns",
    "dl_tensor_python_function": "fn.python_function takes NumPy arrays, jaxdali.plugin.jax.fn.jax_function JAX arrays",
}
_HINTS["fn"] = {**_NO_OPERATOR, "hidden": _OLD}
_HINTS["ops"] = {
    **dict(zip(("OpticalFlow", "DumpImage", "DLTensorPythonFunction"), _NO_OPERATOR.values(), strict=True)),
    **dict.fromkeys(("Reload", "cpu_ops", "gpu_ops", "mixed_ops", "python_op_factory"), _NO_OPERATORS),
    **dict.fromkeys(("register_cpu_op", "register_gpu_op"), _NO_OPERATORS),
    "hidden": _OLD,
}
for _room in ("experimental", "experimental.decoders", "readers"):
    _HINTS[f"fn.{_room}"], _HINTS[f"ops.{_room}"] = {"hidden": _OLD}, {"hidden": _OLD}
# In DALI it is fn.resize with other code for GPUs.
_HINTS["fn.experimental"]["resize"] = "use fn.resize, which takes its arguments"
_HINTS["ops.experimental"]["Resize"] = "use ops.Resize, which takes its arguments"


_LZ4 = "inflate in the source, or in fn.python_function: lz4.block.decompress"
# For names that are still to come: what to do until then.
_MEANWHILE = {
    **dict.fromkeys(("decoders.inflate", "experimental.inflate"), _LZ4),
    "experimental.readers.fits": "read them in a source: astropy.io.fits",
}


# Modules of DALI that are not attributes of its package before they are imported.
MODULES_TO_COME = ("experimental",)


def hint_for(room: str, name: str) -> str:
    """Returns what to use instead of a DALI name that jaxdali will never have; empty if it is not such a name.

    Args:
        room: the module, such as "fn.readers"; empty: the package.
    """
    return _HINTS.get(room, {}).get(name, "")


def is_to_come(room: str, name: str) -> bool:
    """Whether DALI has the name in that module and jaxdali does not exclude it. For names not in jaxdali."""
    return name in NAMES.get(room, "").split() and not hint_for(room, name)


def meanwhile(room: str, name: str) -> str:
    """Returns what to do until a name comes; empty if there is no particular advice. In ops names are capitalized."""
    door, _, rest = room.partition(".")
    spelled = name if door == "fn" else "".join(f"_{one.lower()}" if one.isupper() else one for one in name).lstrip("_")
    return _MEANWHILE.get(f"{rest}.{spelled}" if rest else spelled, "")


NAMES = {
    "": """
        OperatorConcurrency Pipeline StreamPolicy backend backend_impl data_node external_source fn internal math
        newaxis ops pickling pipeline pipeline_def plugin plugin_manager python_function_plugin reducers sysconfig
        tensors tfrecord types
    """,
    "Pipeline": """
        add_sink batch_size build checkpoint concurrency cpu_queue_size current default_cuda_stream_priority
        define_graph deserialize deserialize_and_build device_id empty enable_api_check enable_memory_stats epoch_size
        exec_async exec_dynamic exec_pipelined exec_separated executor_statistics external_source_shm_statistics
        feed_input gpu_queue_size input_feed_count is_restored_from_checkpoint iter_setup max_batch_size max_streams
        num_outputs num_threads output_dtype output_ndim output_stream outputs pop_current prefetch_queue_depth
        push_current py_num_workers py_start_method reader_meta release_outputs reset run save_graph_to_dot_file
        schedule_run seed serialize set_affinity set_outputs share_outputs start_py_workers stream_policy
    """,
    "plugin.jax": """
        DALIGenericIterator data_iterator f fn integration iterator
    """,
    "plugin.jax.fn": """
        jax_function
    """,
    "types": """
        ANY_DATA BGR BOOL BatchInfo CPU_ONLY_DEVICE_ID CUDAStream Constant ConstantNode DALIDataType DALIImageType
        DALIInterpType DATA_TYPE FEATURE FLOAT FLOAT16 FLOAT64 GRAY IMAGE_TYPE INT16 INT32 INT64 INT8 INTERP_CUBIC
        INTERP_GAUSSIAN INTERP_LANCZOS3 INTERP_LINEAR INTERP_NN INTERP_TRIANGULAR INTERP_TYPE NCHW NFCHW NFHWC NHWC
        NO_TYPE PYTHON_OBJECT PipelineAPIType RGB SAME STRING SampleInfo ScalarConstant TENSOR_LAYOUT TensorLayout
        UINT16 UINT32 UINT64 UINT8 YCbCr dali_type_converters to_dali_type to_numpy_type
    """,
    "backend": """
        CUDAStreamSynchronize CheckDLPackCapsule DLDeviceType ExternalContextCheckpoint GetCUDACurrentDevice
        GetCUDADeviceCount GetCUDAStreamDevice GetCudaVersion GetCufftVersion GetCxx11AbiFlag
        GetDeviceBufferGrowthFactor GetHostBufferGrowthFactor GetHostBufferShrinkThreshold GetNppVersion
        GetNvimgcodecVersion GetNvjpegVersion GetOpenCVVersion GetSchema GetSchemaAndTarget Init IsDriverInitialized
        LoadDefaultPlugins LoadDirectory LoadLibrary OpSchema OpSpec Pipeline PipelineDebug PreallocateDeviceMemory
        PreallocatePinnedMemory RegisteredCPUOps RegisteredGPUOps RegisteredMixedOps ReleaseUnusedMemory
        RestrictPinnedMemUsage SetBufferGrowthFactor SetCUDACurrentDevice SetDeviceBufferGrowthFactor
        SetHostBufferGrowthFactor SetHostBufferShrinkThreshold SharedMem Stream TensorCPU TensorGPU TensorListCPU
        TensorListGPU TryGetSchema check_cuda_runtime cuda_checked deprecation_warning initialized
    """,
    "math": """
        abs acos acosh asin asinh atan atan2 atanh cbrt ceil clamp cos cosh exp fabs floor fpow log log10 log2 max min
        pow rsqrt sin sinh sqrt tan tanh
    """,
    "fn": """
        audio_decoder audio_resample batch_permutation bb_flip bbox_paste bbox_rotate box_encoder brightness
        brightness_contrast caffe2_reader caffe_reader cast cast_like cat clahe coco_reader coin_flip
        color_space_conversion color_twist constant contrast coord_flip coord_transform copy crop crop_mirror_normalize
        debayer decoders dl_tensor_python_function dump_image element_extract equalize erase expand_dims experimental
        external_source fast_resize_crop_mirror file_reader filter flip full full_like gaussian_blur get_property
        grid_mask hidden hsv hue image_decoder image_decoder_crop image_decoder_random_crop image_decoder_slice io
        jitter jpeg_compression_distortion laplacian lookup_table mel_filter_bank mfcc multi_paste mxnet_reader
        nemo_asr_reader noise nonsilent_region normal_distribution normalize numpy_reader one_hot ones ones_like
        optical_flow pad paste peek_image_shape per_frame permute_batch power_spectrum preemphasis_filter
        python_function random random_bbox_crop random_crop_generator random_resized_crop readers reductions reinterpret
        reshape resize resize_crop_mirror roi_random_crop rotate saturation segmentation sequence_reader
        sequence_rearrange shapes slice spectrogram sphere squeeze ssd_random_crop stack tensor_resize tfrecord_reader
        to_decibels transform_translation transforms transpose uniform video_reader video_reader_resize warp_affine
        water zeros zeros_like
    """,
    "fn.decoders": """
        audio image image_crop image_random_crop image_slice inflate numpy video
    """,
    "fn.experimental": """
        audio_resample debayer decoders dilate equalize erode filter hidden inflate inputs median_blur peek_image_shape
        readers remap resize tensor_resize warp_perspective
    """,
    "fn.experimental.decoders": """
        hidden image image_crop image_random_crop image_slice video
    """,
    "fn.experimental.inputs": """
        video
    """,
    "fn.experimental.readers": """
        fits video
    """,
    "fn.io": """
        file
    """,
    "fn.io.file": """
        read
    """,
    "fn.noise": """
        gaussian salt_and_pepper shot
    """,
    "fn.random": """
        beta choice coin_flip normal uniform
    """,
    "fn.readers": """
        caffe caffe2 coco file hidden mxnet nemo_asr numpy sequence tfrecord video video_resize webdataset
    """,
    "fn.reductions": """
        max mean mean_square min rms std_dev sum variance
    """,
    "fn.segmentation": """
        random_mask_pixel random_object_bbox select_masks
    """,
    "fn.transforms": """
        combine crop rotation scale shear translation
    """,
    "ops": """
        AudioDecoder AudioResample BBoxPaste BBoxRotate BatchPermutation BbFlip BoxEncoder Brightness BrightnessContrast
        COCOReader Caffe2Reader CaffeReader Cast CastLike Cat Clahe CoinFlip ColorSpaceConversion ColorTwist Compose
        Constant Contrast CoordFlip CoordTransform Copy Crop CropMirrorNormalize DLTensorPythonFunction Debayer
        DumpImage ElementExtract Equalize Erase ExpandDims ExternalSource FastResizeCropMirror FileReader Filter Flip
        Full FullLike GaussianBlur GetProperty GridMask Hsv Hue ImageDecoder ImageDecoderCrop ImageDecoderRandomCrop
        ImageDecoderSlice Jitter JpegCompressionDistortion Laplacian LookupTable MFCC MXNetReader MelFilterBank
        MultiPaste NemoAsrReader NonsilentRegion NormalDistribution Normalize NumpyReader OneHot Ones OnesLike
        OpticalFlow Pad Paste PeekImageShape PerFrame PermuteBatch PowerSpectrum PreemphasisFilter PythonFunction
        ROIRandomCrop RandomBBoxCrop RandomCropGenerator RandomResizedCrop Reinterpret Reload Reshape Resize
        ResizeCropMirror Rotate SSDRandomCrop Saturation SequenceReader SequenceRearrange Shapes Slice Spectrogram
        Sphere Squeeze Stack TFRecordReader TensorResize ToDecibels TransformTranslation Transpose Uniform VideoReader
        VideoReaderResize WarpAffine Water Zeros ZerosLike cpu_ops decoders experimental gpu_ops hidden io mixed_ops
        noise python_op_factory random readers reductions register_cpu_op register_gpu_op segmentation transforms
    """,
    "ops.decoders": """
        Audio Image ImageCrop ImageRandomCrop ImageSlice Inflate Numpy Video
    """,
    "ops.experimental": """
        AudioResample Debayer Dilate Equalize Erode Filter Inflate MedianBlur PeekImageShape Remap Resize TensorResize
        WarpPerspective decoders hidden inputs readers
    """,
    "ops.experimental.decoders": """
        Image ImageCrop ImageRandomCrop ImageSlice Video hidden
    """,
    "ops.experimental.inputs": """
        Video
    """,
    "ops.experimental.readers": """
        Fits Video
    """,
    "ops.io": """
        file
    """,
    "ops.io.file": """
        Read
    """,
    "ops.noise": """
        Gaussian SaltAndPepper Shot
    """,
    "ops.random": """
        Beta Choice CoinFlip Normal Uniform
    """,
    "ops.readers": """
        COCO Caffe Caffe2 File MXNet NemoAsr Numpy Sequence TFRecord Video VideoResize Webdataset hidden
    """,
    "ops.reductions": """
        Max Mean MeanSquare Min RMS StdDev Sum Variance
    """,
    "ops.segmentation": """
        RandomMaskPixel RandomObjectBBox SelectMasks
    """,
    "ops.transforms": """
        Combine Crop Rotation Scale Shear Translation
    """,
}

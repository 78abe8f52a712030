#include "jpeg/file_header.h"

#include <cstring>

#include "jpeg/progression.h"

namespace jaxdali::jpeg {
namespace {

// Marker codes, ITU-T T.81 table B.1.
constexpr uint8_t kSof0 = 0xC0, kSof1 = 0xC1, kSof2 = 0xC2, kDht = 0xC4, kSoi = 0xD8, kEoi = 0xD9, kSos = 0xDA;
constexpr uint8_t kDqt = 0xDB, kDri = 0xDD;
constexpr uint8_t kApp0 = 0xE0, kApp14 = 0xEE, kApp15 = 0xEF, kCom = 0xFE;

constexpr int kTables = 4;             // that a file may have of each kind
constexpr int kLargestExtent = 65500;  // libjpeg's JPEG_MAX_DIMENSION
constexpr int kUnknown = -1;
constexpr int kMostDcSymbol = 15;  // libjpeg refuses tables with others, jdhuff.c, jpeg_make_d_derived_tbl

struct Segment {
  const uint8_t* at;
  size_t size;
};

int BigEndian16(const uint8_t* at) { return at[0] << 8 | at[1]; }

class Reader {
 public:
  explicit Reader(Header* image) : image_(image) {}

  bool Read(const uint8_t* data, size_t size) {
    if (size < 4 || data[0] != 0xFF || data[1] != kSoi) return false;
    size_t at = 2;
    while (size - at >= 4) {
      if (data[at] != 0xFF) return false;
      const uint8_t marker = data[at + 1];
      const size_t length = static_cast<size_t>(BigEndian16(data + at + 2));
      if (length < 2 || length > size - at - 2) return false;
      const Segment body = {data + at + 4, length - 2};
      at += 2 + length;
      if (marker != kSos) {
        if (!ReadSegment(marker, body)) return false;
        continue;
      }
      if (image_->scan == 0) {
        image_->scan = at;
        DecideColor();
      }
      if (!is_progressive_) return ReadOnlyScan(body);
      if (!ReadScan(body)) return false;
      const size_t end = FindMarker(data, at, size);
      if (end == size) return false;
      image_->scans.back().at = at;
      image_->scans.back().bytes = end + 2 - at;
      image_->scans.back().end = data[end + 1];
      at = end;
      if (data[at + 1] != kEoi) continue;
      image_->end = at + 2;
      return progression_.IsComplete(image_->components);
    }
    return false;
  }

 private:
  struct Component {
    uint8_t id, across, down, quantizer;
  };
  // A table of codes, and its index among the header's once a scan has used it.
  struct Slot {
    HuffmanSpec spec;
    int index = kUnknown;
  };

  bool ReadSegment(uint8_t marker, Segment body) {
    switch (marker) {
      case kSof2:
        is_progressive_ = true;
        [[fallthrough]];
      case kSof0:
      case kSof1:
        return ReadFrame(body);
      case kDht:
        return ReadHuffman(body);
      case kDqt:
        return ReadQuantizers(body);
      case kDri:
        if (body.size != 2) return false;
        image_->restart_interval = BigEndian16(body.at);
        return true;
      case kApp0:
        // libjpeg requires this length, jdmarker.c, examine_app0.
        jfif_ = jfif_ || (body.size >= 14 && std::memcmp(body.at, "JFIF", 5) == 0);
        return true;
      case kApp14:
        if (body.size >= 12 && std::memcmp(body.at, "Adobe", 5) == 0) adobe_transform_ = body.at[11];
        return true;
      default:
        return marker == kCom || (marker > kApp0 && marker <= kApp15);
    }
  }

  bool ReadFrame(Segment body) {
    if (image_->components != 0 || body.size < 6 || body.at[0] != 8) return false;
    image_->height = BigEndian16(body.at + 1);
    image_->width = BigEndian16(body.at + 3);
    image_->components = body.at[5];
    if (image_->height == 0 || image_->width == 0) return false;
    if (image_->height > kLargestExtent || image_->width > kLargestExtent) return false;
    if (image_->components != 1 && image_->components != 3) return false;
    if (body.size != 6 + size_t{3} * image_->components) return false;
    for (int index = 0; index < image_->components; ++index) {
      const uint8_t* const spec = body.at + 6 + 3 * index;
      components_[index] = {spec[0], static_cast<uint8_t>(spec[1] >> 4), static_cast<uint8_t>(spec[1] & 15), spec[2]};
      if (spec[2] >= kTables) return false;
    }
    return ReadSampling();
  }

  bool ReadSampling() {
    const Component& luma = components_[0];
    // A scan of one component has one block per MCU, whatever its factors are.
    if (image_->components == 1) return luma.across >= 1 && luma.across <= 4 && luma.down >= 1 && luma.down <= 4;
    for (int index = 1; index < image_->components; ++index) {
      if (components_[index].across != 1 || components_[index].down != 1) return false;
    }
    switch (luma.across << 4 | luma.down) {
      case 0x11:
        image_->sampling = Sampling::k1x1;
        return true;
      case 0x21:
        image_->sampling = Sampling::k2x1;
        return true;
      case 0x12:
        image_->sampling = Sampling::k1x2;
        return true;
      case 0x22:
        image_->sampling = Sampling::k2x2;
        return true;
      case 0x41:
        image_->sampling = Sampling::k4x1;
        return true;
      default:
        return false;
    }
  }

  bool ReadQuantizers(Segment body) {
    while (body.size > 0) {
      const bool is_wide = body.at[0] >> 4 == 1;
      const size_t bytes = 1 + size_t{kBlockSize} * (is_wide ? 2 : 1);
      if (body.at[0] >> 4 > 1 || (body.at[0] & 15) >= kTables || body.size < bytes) return false;
      auto& table = quantizers_[body.at[0] & 15];
      for (int k = 0; k < kBlockSize; ++k) {
        table[k] = static_cast<uint16_t>(is_wide ? BigEndian16(body.at + 1 + 2 * k) : body.at[1 + k]);
      }
      has_quantizer_[body.at[0] & 15] = true;
      body = {body.at + bytes, body.size - bytes};
    }
    return true;
  }

  bool ReadHuffman(Segment body) {
    while (body.size > 0) {
      if (body.size < 17 || body.at[0] >> 4 > 1 || (body.at[0] & 15) >= kTables) return false;
      HuffmanSpec spec;
      spec.present = true;
      size_t symbols = 0;
      for (int length = 0; length < 16; ++length) symbols += spec.counts[length] = body.at[1 + length];
      if (symbols > spec.symbols.size() || body.size < 17 + symbols) return false;
      std::memcpy(spec.symbols.data(), body.at + 17, symbols);
      (body.at[0] >> 4 == 0 ? dc_ : ac_)[body.at[0] & 15] = {spec, kUnknown};
      body = {body.at + 17 + symbols, body.size - 17 - symbols};
    }
    return true;
  }

  // Reads the header of the only scan of a file that is not progressive.
  bool ReadOnlyScan(Segment body) {
    const int count = image_->components;
    if (count == 0 || body.size != 4 + size_t{2} * count || body.at[0] != count) return false;
    for (int index = 0; index < count; ++index) {
      const uint8_t* const spec = body.at + 1 + 2 * index;
      const int dc = spec[1] >> 4, ac = spec[1] & 15;
      if (spec[0] != components_[index].id || dc >= kTables || ac >= kTables) return false;
      if (!dc_[dc].spec.present || !ac_[ac].spec.present || !LatchQuantizer(index)) return false;
      image_->dc[index] = dc_[dc].spec;
      image_->ac[index] = ac_[ac].spec;
    }
    const uint8_t* const spectrum = body.at + 1 + 2 * count;
    return spectrum[0] == 0 && spectrum[1] == kBlockSize - 1 && spectrum[2] == 0;
  }

  // Reads the header of a progressive file's next scan.
  bool ReadScan(Segment body) {
    if (image_->components == 0 || image_->scans.size() == kMostProgressiveScans || body.size < 1) return false;
    ScanHeader scan;
    scan.components_count = body.at[0];
    if (scan.components_count < 1 || scan.components_count > image_->components) return false;
    if (body.size != 4 + size_t{2} * scan.components_count) return false;
    const uint8_t* const spectrum = body.at + 1 + 2 * scan.components_count;
    scan.first = spectrum[0];
    scan.last = spectrum[1];
    scan.high = spectrum[2] >> 4;
    scan.low = spectrum[2] & 15;
    scan.restart_interval = image_->restart_interval;
    for (int place = 0, component = 0; place < scan.components_count; ++place, ++component) {
      const uint8_t* const spec = body.at + 1 + 2 * place;
      // Components are in the order of the frame, T.81 B.2.3.
      while (component < image_->components && components_[component].id != spec[0]) ++component;
      if (component == image_->components || !LatchQuantizer(component)) return false;
      if (!progression_.Add(scan, component)) return false;
      scan.components[place] = static_cast<uint8_t>(component);
      if (!UseCodes(scan.first == 0, scan.first == 0 ? spec[1] >> 4 : spec[1] & 15, &scan, place)) return false;
    }
    image_->scans.push_back(scan);
    return true;
  }

  // Notes which table a component of a scan uses, if any.
  bool UseCodes(bool is_dc, int number, ScanHeader* scan, int place) {
    if (is_dc && scan->high != 0) return true;  // its bits are stored as they are
    if (number >= kTables) return false;
    Slot& slot = (is_dc ? dc_ : ac_)[number];
    if (!IsSound(slot.spec, is_dc ? kMostDcSymbol : 255)) return false;
    if (slot.index == kUnknown) {
      slot.index = static_cast<int>(image_->codes.size());
      image_->codes.push_back(slot.spec);
    }
    scan->codes[place] = static_cast<uint16_t>(slot.index);
    return true;
  }

  // Takes a component's quantizer when its first scan begins, as libjpeg does.
  bool LatchQuantizer(int component) {
    if (has_latched_[component]) return true;
    const int number = components_[component].quantizer;
    image_->quantizers[component] = quantizers_[number];
    return has_latched_[component] = has_quantizer_[number];
  }

  // Decides like libjpeg-turbo, jdapimin.c, default_decompress_parms.
  void DecideColor() {
    if (image_->components != 3 || jfif_) return;
    const Component* const c = components_;
    if (adobe_transform_ == kUnknown) {
      image_->is_ycc = !(c[0].id == 'R' && c[1].id == 'G' && c[2].id == 'B');
    } else {
      image_->is_ycc = adobe_transform_ != 0;
    }
  }

  Header* image_;
  Component components_[kMostComponents] = {};
  std::array<uint16_t, kBlockSize> quantizers_[kTables] = {};
  bool has_quantizer_[kTables] = {};
  bool has_latched_[kMostComponents] = {};
  Slot dc_[kTables], ac_[kTables];
  bool is_progressive_ = false;
  Progression progression_;
  bool jfif_ = false;
  int adobe_transform_ = kUnknown;
};

}  // namespace

bool ReadHeader(const uint8_t* data, size_t size, Header* image) noexcept {
  *image = Header();
  return Reader(image).Read(data, size);
}

}  // namespace jaxdali::jpeg

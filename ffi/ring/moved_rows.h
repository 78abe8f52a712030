// Rows that are made in a slot of one ring and stored in a slot of another one, perhaps on another machine.
#ifndef JAXDALI_RING_MOVED_ROWS_H_
#define JAXDALI_RING_MOVED_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ring/ring.h"

namespace jaxdali::host {

// Returns the records of rows `start` to `stop` of a slot, output by output, without those that an earlier one stands
// for. Their offsets are those in the slot. If there are no rows, those of outputs that are empty batches.
std::vector<SampleRecord> RecordsOfRows(const Ring& ring, uint32_t slot, uint32_t start, uint32_t stop);

// Stores rows `start` to `stop` of all outputs, as a worker's source would have.
// `records`: what RecordsOfRows returned, which need not be aligned; `data`: the slot there. Throws
// std::invalid_argument, before or after it has stored some rows, if the records are not of these rows, or lead out of
// the data.
void StoreRows(Ring* ring, uint32_t slot, uint32_t start, uint32_t stop, const uint8_t* records, size_t records_size,
               const uint8_t* data, size_t data_size);

}  // namespace jaxdali::host

#endif  // JAXDALI_RING_MOVED_ROWS_H_

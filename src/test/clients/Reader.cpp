// Reads the stream at a URL as it arrives, and prints the number of rows and the sum of the column `id`.

#include <arrow/api.h>
#include <arrow/ipc/api.h>
#include <curl/curl.h>

#include <cstdint>
#include <iostream>
#include <memory>

namespace {

// Hands the decoder what has arrived; any other result than the length ends the transfer.
size_t Consume(char* bytes, size_t size, size_t count, void* decoder) {
  const auto length = size * count;
  auto status = static_cast<arrow::ipc::StreamDecoder*>(decoder)->Consume(
      reinterpret_cast<const uint8_t*>(bytes), static_cast<int64_t>(length));
  if (!status.ok()) std::cerr << status.ToString() << std::endl;
  return status.ok() ? length : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto listener = std::make_shared<arrow::ipc::CollectListener>();
  arrow::ipc::StreamDecoder decoder(listener);
  CURL* transfer = curl_easy_init();
  curl_easy_setopt(transfer, CURLOPT_URL, argv[1]);
  curl_easy_setopt(transfer, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, Consume);
  curl_easy_setopt(transfer, CURLOPT_WRITEDATA, &decoder);
  const CURLcode result = curl_easy_perform(transfer);
  curl_easy_cleanup(transfer);
  if (result != CURLE_OK) {
    std::cerr << curl_easy_strerror(result) << std::endl;
    return 1;
  }
  int64_t rows = 0;
  int64_t sum = 0;
  for (const auto& batch : listener->record_batches()) {
    const auto column = batch->GetColumnByName("id");
    const auto& ids = static_cast<const arrow::Int64Array&>(*column);
    for (int64_t i = 0; i < ids.length(); i++) sum += ids.Value(i);
    rows += batch->num_rows();
  }
  std::cout << rows << " " << sum << std::endl;
  return 0;
}

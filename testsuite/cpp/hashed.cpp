//@ verdict: safe
//@ native: run
// std::unordered_map and std::unordered_set: hash values of bytes and numbers of buckets are those of libstdc++, and so
// is the order of the elements.
#include <cassert>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>

int main() {
  std::unordered_set<int> numbers;
  size_t buckets[] = {13, 29, 59, 127};
  int sizes[] = {13, 29, 59, 100}, number = 0;
  for (int i = 0; i < 4; i++) {
    while (number < sizes[i])
      numbers.insert(number++);
    assert(numbers.bucket_count() == buckets[i]);
  }
  assert(*numbers.begin() == 99 && numbers.erase(99) == 1 && numbers.count(99) == 0 && numbers.count(98) == 1);
  std::unordered_map<std::string, int> lengths;
  for (const char *word : {"", "a", "of bytes", "more than eight"})
    lengths[word] = (int)std::string(word).size();
  assert(lengths.size() == 4 && lengths.at("of bytes") == 8 && lengths["more than eight"] == 15);
  assert(std::hash<std::string>()("of bytes") % 1000 == 590 && std::hash<std::string>()("abc") % 1000 == 833);
  std::unordered_map<std::thread::id, int> owners;
  std::thread other([] {});
  owners.emplace(other.get_id(), 2);
  owners.emplace(std::this_thread::get_id(), 1);
  assert(owners.at(other.get_id()) == 2 && owners.size() == 2);
  other.join();
  return 0;
}

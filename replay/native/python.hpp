// What the compiled subset of Python means in C++: whole numbers of 64 bits that wrap around, arrays,
// division that rounds down. Nothing of the C++ library is used, so none has to be there.
#include <stdint.h>

typedef long long i64;
typedef double float64_t;
#define ENTRY extern "C" __attribute__((visibility("default"))) i64
#define TEXT extern "C" __attribute__((visibility("default"))) char const
#define FITTED_IN __attribute__((always_inline)) inline
#define GATHERS __attribute__((flatten))

// A checked build ends at an index beyond an array, a cell too narrow for its number, bits of a number
// below 0 and a distance to shift that Python and C++ understand differently. Frames say the line.
#ifdef CHECKED
#include <stdio.h>
#include <stdlib.h>
namespace py {
inline void want(bool is_so, char const* what, i64 one, i64 other) {
  if (is_so) return;
  fprintf(stderr, "%s: %lld, %lld\n", what, one, other);
  abort();
}
inline i64 checked(i64 index, i64 length) {
  want(index >= 0 && index < length, "index beyond an array", index, length);
  return index;
}
}
#define AT(index, length) py::checked(index, length)
#define WANT(is_so, what, one, other) py::want(is_so, what, one, other)
#else
#define AT(index, length) (index)
#define WANT(is_so, what, one, other)
#endif

namespace py {

// Records and lists of fixed length are changed in place; all else is a value.
template <class T> concept InPlace = requires { typename T::in_place; };
template <class T> concept Whole = requires(T number) { number >> 1; };

// A number of a named tuple, which is copied by itself. Compilers would copy two of them at once, which
// waits until both, written one by one, have left the processor.
struct Number {
  i64 number;
  constexpr Number(i64 it) : number(it) {}
  constexpr Number(Number const& other) : number(other.number) {}
  Number& operator=(Number const& other) {
    number = other.number;
    return *this;
  }
  constexpr operator i64() const { return number; }
};

template <class T> struct Bare { using type = T; };
template <class T> struct Bare<T&> : Bare<T> {};
template <class T> struct Bare<T&&> : Bare<T> {};
template <class T> struct Bare<T const> : Bare<T> {};

template <class... T> struct Tuple {};
template <class T, class... Rest> struct Tuple<T, Rest...> {
  T first;
  [[no_unique_address]] Tuple<Rest...> rest;
  constexpr Tuple(T one, Rest... others) : first(one), rest(others...) {}
};
template <class... T> Tuple(T...) -> Tuple<T...>;
template <int N> constexpr auto& part(auto& tuple) {
  static_assert(requires { tuple.first; }, "take the fields of a named tuple by their names");
  if constexpr (N == 0) return tuple.first;
  else return part<N - 1>(tuple.rest);
}

template <class T, int N> struct List {
  using in_place = void;
  T cells[N];
  constexpr T& operator[](i64 index) { return cells[AT(index, N)]; }
  constexpr T const& operator[](i64 index) const { return cells[AT(index, N)]; }
  constexpr T const* begin() const { return cells; }
  constexpr T const* end() const { return cells + N; }
};
template <class T> struct Array {
  T* cells;
  i64 length;
  T& operator[](i64 index) const { return cells[AT(index, length)]; }
  T* begin() const { return cells; }
  T* end() const { return cells + length; }
};
template <class T> struct Table {
  T* cells;
  i64 length, width;
  Array<T> operator[](i64 index) const { return {cells + AT(index, length) * width, width}; }
};

template <class T, int N> constexpr i64 len(List<T, N> const&) { return N; }
template <class T> i64 len(Array<T> const& array) { return array.length; }
template <class T> i64 len(Table<T> const& table) { return table.length; }

template <int N> constexpr List<uint8_t, N - 1> bytes(char const (&text)[N]) {
  List<uint8_t, N - 1> list{};
  for (int at = 0; at < N - 1; at++) list.cells[at] = uint8_t(text[at]);
  return list;
}
template <int N> Array<uint8_t const> text(char const (&text)[N]) {
  return {reinterpret_cast<uint8_t const*>(text), N - 1};
}

// A value as Python has it: every number as one of 64 bits, of a record the record itself.
template <class T> constexpr decltype(auto) value(T&& it) {
  using Type = typename Bare<T>::type;
  if constexpr (Whole<Type>) return i64(it);
  else if constexpr (InPlace<Type>) return (it);
  else return Type(it);
}
template <class T> constexpr decltype(auto) cell(T&& array, i64 index) {
  static_assert(requires { array[index]; }, "give the parts of a tuple names to take them");
  return value(array[index]);
}

// A name may come to stand for another number or tuple, not for another record.
template <class T, class V> void rebind(T& name, V&& it) {
  static_assert(!InPlace<T>, "a name of a record is given once");
  name = it;
}

// What is written to a field or a cell, which may be narrower than the number.
template <class T, class V> void put(T& place, V&& it) {
  if constexpr (Whole<T>) WANT(i64(T(it)) == i64(it), "number beyond a cell", i64(it), sizeof(T));
  place = it;
}

inline i64 truth(i64 number) { return number != 0; }
inline i64 bit_count(i64 number) {
  WANT(number >= 0, "bits of a number below 0", number, 0);
  return __builtin_popcountll(number);
}
inline i64 bit_length(i64 number) {
  WANT(number >= 0, "bits of a number below 0", number, 0);
  return number ? 64 - __builtin_clzll(number) : 0;
}
// Takes the highest, or lowest, member out of a set that has one.
inline i64 take_highest(i64& members) {
  i64 member = bit_length(members) - 1;
  members &= ~(1LL << member);
  return member;
}
inline i64 take_lowest(i64& members) {
  i64 member = bit_length(members & -members) - 1;
  members &= members - 1;
  return member;
}
inline i64 mod(i64 a, i64 b) { i64 rest = a % b; return rest && (rest ^ b) < 0 ? rest + b : rest; }
inline i64 floor_div(i64 a, i64 b) { i64 whole = a / b; return a % b && (a ^ b) < 0 ? whole - 1 : whole; }
inline i64 abs(i64 number) { return number < 0 ? -number : number; }
template <class T> concept Fraction = __is_same(T, double);
template <Fraction T> T min(T a, T b) { return b < a ? b : a; }
template <Fraction T> T max(T a, T b) { return b > a ? b : a; }
inline i64 min(i64 a, i64 b) { return b < a ? b : a; }
inline i64 max(i64 a, i64 b) { return b > a ? b : a; }
inline i64 min(i64 a, i64 b, auto... more) { return min(min(a, b), i64(more)...); }
inline i64 max(i64 a, i64 b, auto... more) { return max(max(a, b), i64(more)...); }
inline bool among(i64 number, auto... others) { return ((number == others) || ...); }

}  // namespace py

#ifdef __clang__
TEXT tricklog_compiler[] = __VERSION__;
#else
TEXT tricklog_compiler[] = "GCC " __VERSION__;
#endif
// What the processor must be able to do, in the words of Linux.
TEXT tricklog_processor[] = ""
#ifdef __SSE3__
  "pni "
#endif
#ifdef __SSSE3__
  "ssse3 "
#endif
#ifdef __SSE4_1__
  "sse4_1 "
#endif
#ifdef __SSE4_2__
  "sse4_2 "
#endif
#ifdef __POPCNT__
  "popcnt "
#endif
#ifdef __AVX__
  "avx "
#endif
#ifdef __AVX2__
  "avx2 "
#endif
#ifdef __BMI__
  "bmi1 "
#endif
#ifdef __BMI2__
  "bmi2 "
#endif
#ifdef __LZCNT__
  "abm "
#endif
#ifdef __AVX512F__
  "avx512f "
#endif
;

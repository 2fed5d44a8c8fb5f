//===- NpyTest.cpp - numpy's array files ----------------------------------===//

#include "fusion/Runtime/Npy.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <unistd.h>

using namespace mlir::fusion;

/// A file of the given version with a header's dictionary and elements.
static std::string makeFile(int version, std::string dictionary,
                            const std::string &elements) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  dictionary += "   \n";
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    file += static_cast<char>(dictionary.size() >> (8 * i) & 0xff);
  }
  return file + dictionary + elements;
}

static std::string describe(const std::string &type, const std::string &shape,
                            const std::string &order = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + order +
         ", 'shape': " + shape + ", }";
}

/// Parses a file that must be wrong, and returns why.
static std::string refuse(const std::string &file) {
  NpyArray array;
  std::string error;
  EXPECT_FALSE(parseNpy(file.data(), file.size(), array, error));
  return error;
}

static NpyArray accept(const std::string &file) {
  NpyArray array;
  std::string error;
  EXPECT_TRUE(parseNpy(file.data(), file.size(), array, error)) << error;
  return array;
}

static std::string getText(const NpyArray &array) {
  return std::string(array.data.begin(), array.data.end());
}

TEST(NpyTest, ReadsAllVersions) {
  for (int version : {1, 2, 3}) {
    NpyArray array =
        accept(makeFile(version, describe("<u2", "(2, 3)"), "aabbccddeeff"));
    EXPECT_EQ(array.dtype, FUSION_U16);
    EXPECT_EQ(array.dims, (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(getText(array), "aabbccddeeff");
  }
  EXPECT_EQ(refuse(makeFile(4, describe("<u2", "()"), "aa")),
            "expected .npy version 1, 2 or 3, but got 4");
}

TEST(NpyTest, ReadsShapes) {
  EXPECT_EQ(accept(makeFile(1, describe("|b1", "()"), "\1")).dims,
            std::vector<int64_t>());
  EXPECT_EQ(accept(makeFile(1, describe("|i1", "(3,)"), "abc")).dims,
            std::vector<int64_t>{3});
  EXPECT_EQ(accept(makeFile(1, describe("|i1", "(3L, 1L)"), "abc")).dims,
            (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(accept(makeFile(1, describe("<f8", "(4, 0, 9)"), "")).dims,
            (std::vector<int64_t>{4, 0, 9}));
}

TEST(NpyTest, ReadsTypes) {
  const std::pair<const char *, FusionDType> types[] = {
      {"<f4", FUSION_F32},  {"<f2", FUSION_F16}, {"<V2", FUSION_BF16},
      {"|V2", FUSION_BF16}, {"<f8", FUSION_F64}, {"|b1", FUSION_I1},
      {"|i1", FUSION_I8},   {"<i2", FUSION_I16}, {"<i4", FUSION_I32},
      {"<i8", FUSION_I64},  {"|u1", FUSION_U8},  {"<u2", FUSION_U16},
      {"<u4", FUSION_U32},  {"<u8", FUSION_U64}};
  for (auto [text, dtype] : types) {
    std::string element(static_cast<size_t>(fusionDTypeSize(dtype)), 'x');
    EXPECT_EQ(accept(makeFile(1, describe(text, "(1,)"), element)).dtype, dtype)
        << text;
  }
  for (const char *other : {">f4", "<c8", "<U3", "|O", "f4", ""}) {
    EXPECT_EQ(refuse(makeFile(1, describe(other, "(1,)"), "aaaa")),
              std::string("expected elements b1, i1 to i8, u1 to u8, f2 to f8 "
                          "or V2 (bf16) in little-endian order, but got '") +
                  other + "'");
  }
}

TEST(NpyTest, TakesU16ForBf16Only) {
  EXPECT_TRUE(holdsElementsOf(FUSION_U16, FUSION_BF16));
  EXPECT_TRUE(holdsElementsOf(FUSION_BF16, FUSION_BF16));
  EXPECT_FALSE(holdsElementsOf(FUSION_BF16, FUSION_U16));
  EXPECT_FALSE(holdsElementsOf(FUSION_U16, FUSION_F16));
}

TEST(NpyTest, MakesFortranOrderRowMajor) {
  // The letter of [i][j] stands at i + 2 j.
  EXPECT_EQ(
      getText(accept(makeFile(1, describe("|u1", "(2, 3)", "True"), "abcdef"))),
      "acebdf");
  // The letter of [i][j][k] stands at i + 2 j + 4 k.
  EXPECT_EQ(getText(accept(
                makeFile(1, describe("|u1", "(2, 2, 2)", "True"), "abcdefgh"))),
            "aecgbfdh");
}

TEST(NpyTest, RefusesOtherFiles) {
  EXPECT_EQ(refuse(""), "expected a .npy file, but it does not begin as one");
  EXPECT_EQ(refuse("PK\3\4 an archive of arrays"),
            "expected a .npy file, but it does not begin as one");
}

TEST(NpyTest, RefusesTruncatedFiles) {
  std::string whole =
      makeFile(1, describe("<f4", "(2, 2)"), "aaaabbbbccccdddd");
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(refuse(whole.substr(0, size)), "") << size;
  }
  EXPECT_EQ(refuse(whole.substr(0, whole.size() - 1)),
            "expected 16 bytes of elements, but got 15");
  EXPECT_EQ(refuse(whole + "e"), "expected 16 bytes of elements, but got 17");
  EXPECT_EQ(refuse(whole.substr(0, 20)),
            "expected a header of 63 bytes, but the file ends after 10");
}

TEST(NpyTest, RefusesOtherHeaders) {
  const std::pair<const char *, const char *> cases[] = {
      {"['descr']", "expected '{' in the header, but got "},
      {"{'descr': [('a', '<f4')], }",
       "expected a plain element type (no record) in the header"},
      {"{'name': 'x', }", "expected the keys descr, fortran_order and shape in "
                          "the header, but got 'name'"},
      {"{'descr': '<f4', }",
       "expected descr, fortran_order and shape, and no more"},
      {"{'fortran_order': 1, }", "expected True or False"},
      {"{'shape': (2, -1), }", "expected a dim"},
      {"{'shape': (2 2), }", "expected ',' or ')'"},
      {"{'shape': 2, }", "expected a shape"},
      {"{'shape': (99999999999999999999,), }", "expected a dim"}};
  for (auto [dictionary, expected] : cases) {
    EXPECT_EQ(refuse(makeFile(1, dictionary, "")).find(expected), 0u)
        << dictionary;
  }
}

TEST(NpyTest, RefusesShapesThatOverflow) {
  std::string huge = "(4611686018427387904, 8)";
  EXPECT_EQ(refuse(makeFile(1, describe("<f4", huge), ""))
                .find("expected 18446744073709551615 bytes of elements"),
            0u);
}

TEST(NpyTest, ReadsWhatItWrites) {
  std::string path =
      ::testing::TempDir() + "fusion-" + std::to_string(getpid()) + ".npy";
  for (int32_t dtype = FUSION_F32; dtype <= FUSION_U64; ++dtype) {
    for (const std::vector<int64_t> &dims :
         {std::vector<int64_t>{}, {5}, {2, 3}, {3, 0, 2}}) {
      size_t size = static_cast<size_t>(fusionDTypeSize(dtype));
      for (int64_t dim : dims) {
        size *= static_cast<size_t>(dim);
      }
      std::vector<char> data(size);
      for (size_t i = 0; i < size; ++i) {
        data[i] = static_cast<char>(i * 7 + 1);
      }
      FusionArray array = {data.data(), dtype,
                           static_cast<int32_t>(dims.size()), dims.data()};
      std::string error;
      ASSERT_TRUE(writeNpy(path, array, error)) << error;
      NpyArray back;
      ASSERT_TRUE(readNpy(path, back, error)) << error;
      EXPECT_EQ(back.dtype, dtype);
      EXPECT_EQ(back.dims, dims);
      EXPECT_EQ(back.data, data);
    }
  }
  remove(path.c_str());
}

TEST(NpyTest, NamesTheFileInErrors) {
  NpyArray array;
  std::string error;
  EXPECT_FALSE(readNpy("/nowhere/x.npy", array, error));
  EXPECT_EQ(error, "cannot read '/nowhere/x.npy': No such file or directory");
  FusionArray empty = {nullptr, FUSION_F32, 0, nullptr};
  EXPECT_FALSE(writeNpy("/nowhere/x.npy", empty, error));
  EXPECT_EQ(error, "cannot write '/nowhere/x.npy': No such file or directory");
}

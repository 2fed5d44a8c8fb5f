"""Runs every gtest executable of build/PRESET/test/Unit (named *Test)."""

import os

import lit.formats

config.name = "Fusion-Unit"
config.test_source_root = os.path.join(config.fusion_binary_dir, "test", "Unit")
config.test_exec_root = config.test_source_root
config.excludes = ["CMakeFiles"]
# The folders mirror lib/, so the format's list of sub-folders is "any".
config.test_format = lit.formats.GoogleTest("", "Test")

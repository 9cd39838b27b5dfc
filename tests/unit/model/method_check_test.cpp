// Expected texts: what a reader of the message must be told.
#include "carom/model/method_check.h"

#include <gmock/gmock.h>

#include "carom/base/diagnostics.h"

namespace carom::model {
namespace {

using testing::HasSubstr;

SettingDescription make_flag(const std::string& key, const std::vector<std::string>& words) {
  SettingDescription flag;
  flag.key = key;
  flag.kind = SettingKind::Flag;
  flag.fallback = true;
  flag.choices = words;
  return flag;
}

TEST(MethodCheck, AllowsAFlagTheWordsItHas) {
  const SettingDescription plain = make_flag("sleeping", {});
  const SettingDescription worded = make_flag("lineality", {"shave"});
  for (const SettingDescription& flag : {plain, worded}) {
    EXPECT_TRUE(is_allowed(flag, true));
    EXPECT_TRUE(is_allowed(flag, false));
    EXPECT_FALSE(is_allowed(flag, 1.0));
    EXPECT_FALSE(is_allowed(flag, std::string("true")));
  }
  EXPECT_FALSE(is_allowed(plain, std::string("shave")));
  EXPECT_TRUE(is_allowed(worded, std::string("shave")));
}

TEST(MethodCheck, NamesTheWordsOfAFlag) {
  EXPECT_EQ(describe_allowed(make_flag("sleeping", {})), "true or false");
  EXPECT_EQ(describe_allowed(make_flag("lineality", {"shave"})), "true or false, or \"shave\"");
}

TEST(MethodCheck, RefusesAMisspeltWordWithWhatIsAllowed) {
  const MethodCatalog catalog = {{"zeno-free", "", {make_flag("lineality", {"shave"})}}};
  MethodSettings settings;
  settings.options["lineality"] = std::string("shave");
  EXPECT_NO_THROW(check_method(settings, catalog));
  settings.options["lineality"] = std::string("shvae");
  try {
    check_method(settings, catalog);
    FAIL();
  } catch (const base::BadInput& bad) {
    EXPECT_THAT(bad.what(), HasSubstr("found \"shvae\", expected true or false, or \"shave\""));
  }
}

}  // namespace
}  // namespace carom::model

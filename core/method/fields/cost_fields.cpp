// Money and energy: what the user pays by the hour or has bought, and what the building and the grid add.
#include "method/fields/rows.hpp"

#include <array>

namespace plimsoll::tables {

namespace {

using Row = Rows<Topic::cost, kAllTasks, &Inputs::billing>;

bool owns(const Inputs& inputs) { return inputs.billing.purchase_price > 0; }
constexpr Condition kOwned{owns, "Set purchase_price"};

/// A share that differs by task: inference first.
constexpr Field by_task(Field field, std::int64_t inference, std::int64_t training) {
  field.defaults = {inference, training, training};
  return field;
}

constexpr Field serving_only(Field field) {
  field.tasks = kServing;
  return field;
}

constexpr std::array kFields = {
    in_thousandths("price_per_gpu_hour",
                   advanced(Row::number<&Billing::price_per_gpu_hour>("price_per_gpu_hour", "your price", "dollars per GPU-hour", 0, 100'000,
                                                                      "What you pay for one GPU for an hour, such as 2.50. 0 = the clouds' own prices."))),
    in_thousandths("discount_permille", advanced(Row::number<&Billing::discount_permille>("discount", "discount", "", 0, 1000,
                                                                                          "Off every price by the hour, as for a commitment: 0.3 is 30 %."))),
    advanced(Row::number<&Billing::purchase_price>("purchase_price", "bought for", "dollars per GPU", 0, 10'000'000,
                                                   "Price of one GPU with its share of host and network, where they are your own. 0 = rented.")),
    needing(kOwned, advanced(Row::number<&Billing::depreciation_years>("depreciation_years", "depreciation", "years", 1, 50,
                                                                       "Until bought hardware is worth nothing. 4 is an assumption."))),
    needing(kOwned, in_thousandths("busy_permille", advanced(Row::number<&Billing::busy_permille>(
                                                        "busy", "busy", "", 1, 1000, "Of those years' hours, the share in which your GPUs work. 0.7 is an assumption.")))),
    needing(kOwned, in_thousandths("electricity_price", advanced(Row::number<&Billing::electricity_price>(
                                                            "electricity_price", "electricity", "dollars per kWh", 0, 10'000,
                                                            "0.10 is an assumption. Rented GPUs come with theirs.")))),
    in_thousandths("pue_permille", advanced(Row::number<&Billing::pue_permille>("pue", "PUE", "", 1000, 10'000,
                                                                                "Power usage effectiveness: what the building takes for 1 that the hardware takes. 1.1 is "
                                                                                "what Meta states for LLaMA; older buildings reach 1.5."))),
    in_thousandths("idle_power_permille", advanced(Row::number<&Billing::idle_power_permille>(
                                              "idle_power", "idle power", "", 0, 1000, "Of a GPU's power limit, what it draws when it waits. 0.1 is an assumption."))),
    by_task(in_thousandths("power_permille", advanced(Row::number<&Billing::power_permille>(
                                                 "mean_power", "power at work", "", 0, 1000,
                                                 "How far a GPU's mean power is on the way from idle to its limit. An assumption: 0.85 in "
                                                 "training, of 0.6 to 0.95 that were seen; 0.55 when serving, of 0.4 to 0.7."))),
            550, 850),
    in_thousandths("api_price_in", advanced(serving_only(Row::number<&Billing::api_price_in>("api_price_in", "an API's price in", "dollars per million tokens", 0, 1'000'000,
                                                                                 "What an API asks for a million tokens of prompts, such as 0.50, to weigh your own GPUs against. 0 = not asked.")))),
    in_thousandths("api_price_cached", advanced(serving_only(Row::number<&Billing::api_price_cached>("api_price_cached", "an API's price of what is cached", "dollars per million tokens", 0, 1'000'000,
                                                                                     "What it asks for a million tokens of prompts that its cache has, such as 0.05. 0 = as for all others.")))),
    in_thousandths("api_price_out", advanced(serving_only(Row::number<&Billing::api_price_out>("api_price_out", "an API's price out", "dollars per million tokens", 0, 1'000'000,
                                                                                  "What it asks for a million tokens of answers, such as 1.50. 0 = not asked.")))),
    advanced(Row::number<&Billing::grid_intensity>("grid_intensity", "carbon of the grid", "grams CO2e per kWh", 0, 5000,
                                                   "Of your grid: 57 where BLOOM was trained, in France; 385 on average in the USA, as Meta counts. 0 = not asked.")),
};

} // namespace

std::span<const Field> cost() noexcept { return rows_of<kFields>(); }
std::span<const Texts> cost_texts() noexcept { return kTextsOf<kFields>; }

} // namespace plimsoll::tables

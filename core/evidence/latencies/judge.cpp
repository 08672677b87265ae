#include "plimsoll/evidence/latencies.hpp"

#include "catalog/kernels.hpp"
#include "evidence/latencies/fit.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

namespace plimsoll::io {

namespace latencies {

namespace {

std::vector<Measured> rows_of(const std::vector<LatencyFile>& files, Issues& issues) {
  std::vector<Measured> rows;
  for (const LatencyFile& file : files) read_rows(file.name, file.bytes, rows, issues);
  return rows;
}

std::vector<const Sample*> those(const std::vector<Sample>& samples, auto&& wanted) {
  std::vector<const Sample*> some;
  for (const Sample& sample : samples)
    if (wanted(sample)) some.push_back(&sample);
  return some;
}

/// Predicted / measured - 1 of each sample, by the rows of a table.
class Errors {
public:
  void add(const std::vector<const Sample*>& samples, const KernelTable& table) {
    for (const Sample* sample : samples) {
      const Measured& row = *sample->row;
      const auto own = std::ranges::find(table.classes, sample->device_class, &KernelClass::id);
      const kernels::Chosen chosen = kernels::choose(table, *own, row.kernel, row.format, row.engine, row.source);
      if (chosen.row == nullptr) {
        ++unknown;
        continue;
      }
      const double error = predicted_ns(*sample, *chosen.row) / row.ns - 1;
      const std::string kernel{kernel_id(row.kernel)};
      all_[{"all", "all rows"}].push_back(error);
      all_[{"kernel", kernel}].push_back(error);
      all_[{"device", sample->device}].push_back(error);
      all_[{"format", kernel + " " + sample->device_class + " " + row.format}].push_back(error);
    }
  }

  std::vector<LatencyErrors> summed() const {
    std::vector<LatencyErrors> errors;
    for (const std::string_view by : {"all", "kernel", "device", "format"})
      for (const auto& [key, values] : all_)
        if (key.first == by) errors.push_back(sum(key.first, key.second, values));
    return errors;
  }

  std::int64_t unknown = 0;

private:
  static std::int64_t at(std::vector<double>& values, std::size_t tenths) {
    std::ranges::sort(values);
    return static_cast<std::int64_t>(std::lround(1000 * values[std::min(values.size() - 1, values.size() * tenths / 10)]));
  }

  static LatencyErrors sum(const std::string& by, const std::string& group, std::vector<double> values) {
    LatencyErrors errors{by, group, static_cast<std::int64_t>(values.size()), 0, 0, at(values, 5)};
    for (double& value : values) value = std::fabs(value);
    errors.median = at(values, 5);
    errors.p90 = at(values, 9);
    return errors;
  }

  std::map<std::pair<std::string, std::string>, std::vector<double>> all_;
};

KernelTable with_rows(std::vector<KernelRow> rows) {
  KernelTable table = kernel_table();
  table.rows = std::move(rows);
  return table;
}

} // namespace

} // namespace latencies

LatencyReport compare_latencies(const Catalog& catalog, const std::vector<LatencyFile>& files, LeftOut left_out) {
  using namespace latencies;
  LatencyReport report;
  const std::vector<Measured> rows = rows_of(files, report.issues);
  const std::vector<Sample> samples = samples_of(rows, catalog, kernel_table(), report.issues);
  report.rows = static_cast<std::int64_t>(rows.size());
  Errors errors;
  const auto outside = [](const Sample& sample) { return is_left_out(*sample.row); };
  switch (left_out) {
    case LeftOut::none: errors.add(those(samples, [](const Sample&) { return true; }), kernel_table()); break;
    case LeftOut::shapes: errors.add(those(samples, outside), with_rows(fit(those(samples, [&](const Sample& sample) { return !outside(sample); }), kernel_table()))); break;
    case LeftOut::gpus: {
      std::set<std::string> devices;
      for (const Sample& sample : samples) devices.insert(sample.device);
      for (const std::string& device : devices)
        errors.add(those(samples, [&](const Sample& sample) { return sample.device == device; }),
                   with_rows(fit(those(samples, [&](const Sample& sample) { return sample.device != device; }), kernel_table())));
      break;
    }
  }
  report.errors = errors.summed();
  report.unknown = errors.unknown + report.rows - static_cast<std::int64_t>(samples.size());
  return report;
}

std::string fitted_kernels(const Catalog& catalog, const std::vector<LatencyFile>& files, Issues& issues) {
  using namespace latencies;
  const std::vector<Measured> rows = rows_of(files, issues);
  const std::vector<Sample> samples = samples_of(rows, catalog, kernel_table(), issues);
  const std::vector<const Sample*> inside = those(samples, [](const Sample& sample) { return !is_left_out(*sample.row); });
  const std::vector<KernelRow> judged = fit(inside, kernel_table());
  std::vector<KernelRow> whole = fit(those(samples, [](const Sample&) { return true; }), kernel_table());
  std::string text;
  for (KernelRow& row : whole) {
    const auto same = [&](const KernelRow& other) {
      return other.kernel == row.kernel && other.device_class == row.device_class && other.format == row.format && other.source == row.source && other.engine == row.engine;
    };
    const auto at = std::ranges::find_if(judged, same);
    std::vector<double> off;
    if (at != judged.end())
      for (const Sample& sample : samples) {
        const Measured& of = *sample.row;
        if (is_left_out(of) && of.kernel == row.kernel && sample.device_class == row.device_class && of.format == row.format && of.source == row.source && of.engine == row.engine)
          off.push_back(std::fabs(predicted_ns(sample, *at) / of.ns - 1));
      }
    std::ranges::sort(off);
    const auto thousandths = [&](std::size_t tenths) { return off.empty() ? 0 : static_cast<std::int64_t>(std::lround(1000 * off[std::min(off.size() - 1, off.size() * tenths / 10)])); };
    row.median = thousandths(5);
    row.p90 = thousandths(9);
    text += (text.empty() ? "  " : ",\n  ") + kernel_row_text(row);
  }
  return text + "\n";
}

std::string latency_table(const LatencyReport& report) {
  std::string text;
  char line[200];
  std::snprintf(line, sizeof line, "%-52s %8s %9s %9s %9s\n", "kernels, |predicted / measured - 1|", "rows", "median", "p90", "bias");
  text += line;
  std::string_view by;
  for (const LatencyErrors& each : report.errors) {
    if (each.by != by && !by.empty()) text += "\n";
    by = each.by;
    std::snprintf(line, sizeof line, "%-52s %8lld %7.1f %% %7.1f %% %+7.1f %%\n", each.group.c_str(), static_cast<long long>(each.rows), static_cast<double>(each.median) / 10,
                  static_cast<double>(each.p90) / 10, static_cast<double>(each.bias) / 10);
    text += line;
  }
  if (report.unknown > 0) text += "\n" + std::to_string(report.unknown) + " of " + std::to_string(report.rows) + " rows: no numbers for the device or the kernel\n";
  return text;
}

std::string latency_json(const LatencyReport& report) {
  Json errors = Json::array();
  for (const LatencyErrors& each : report.errors)
    errors.push_back(Json{{"by", each.by}, {"group", each.group}, {"rows", each.rows}, {"median_permille", each.median}, {"p90_permille", each.p90}, {"bias_permille", each.bias}});
  return dump(Json{{"rows", report.rows}, {"unknown", report.unknown}, {"errors", std::move(errors)}});
}

} // namespace plimsoll::io

// What one frame of the app costs the processor: the layout of the whole screen, without the part of the graphics driver.
//
//   bench_frame [--json] [--smoke-test]
//
// Exit status 1 when a frame draws next to nothing; the times decide nothing. An idle screen draws no frames at all (tests/web).
#include "app.hpp"
#include "measure.hpp"
#include "options.hpp"
#include "plimsoll/results/api.hpp"

#include <imgui.h>

#include <cstdio>
#include <string>

namespace {

using namespace plimsoll;

struct Row {
  const char* id;
  const char* what;
  const char* query;
  const char* view;
  float width, height;
};

constexpr const char* kServe = "model=llama-3-8b&device=rtx4090&batch=4";
constexpr const char* kPipeline = "model=llama-3-70b&device=h100-80-sxm&task=pretrain&tensor_parallel=4&pipeline_parallel=4&data_parallel=2";
constexpr Row kRows[] = {
    {"serve", "one GPU, its parts", kServe, "", 1440, 900},
    {"phone", "the same on a phone", kServe, "", 390, 844},
    {"timeline", "four pipeline ranks, the moments of a step", kPipeline, "tab=timeline&rank=2", 1440, 900},
    {"time", "time and cost", kPipeline, "tab=time", 1440, 900},
    {"compare", "two questions beside each other", kServe, "tab=compare&pin1=model%3Dllama-3-8b%26device%3Drtx4090", 1440, 900},
    {"sources", "all sources", kPipeline, "tab=sources", 1440, 900},
    {"fields", "all fields", kServe, "tab=fields", 1440, 900},
};

/// A renderer must take the textures that ImGui makes as it goes; here they are taken and forgotten.
void take_textures(const ImDrawData& data) {
  if (!data.Textures) return;
  for (ImTextureData* texture : *data.Textures) {
    if (texture->Status == ImTextureStatus_OK) continue;
    texture->SetTexID(texture->Status == ImTextureStatus_WantDestroy ? ImTextureID_Invalid : 1);
    texture->SetStatus(texture->Status == ImTextureStatus_WantDestroy ? ImTextureStatus_Destroyed : ImTextureStatus_OK);
  }
}

void frame(app::App& app) {
  ImGui::GetIO().DeltaTime = 1.0f / 60;
  ImGui::NewFrame();
  app.frame();
  ImGui::Render();
  take_textures(*ImGui::GetDrawData());
}

struct Measured {
  bench::Measurement time;
  int vertices = 0;
};

Measured measure(const Row& row, const bench::Effort& effort) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
  io.DisplaySize = {row.width, row.height};
  Measured measured;
  {
    app::App app(row.query);
    app.set_view(row.view);
    for (int i = 0; i < 10; ++i) frame(app); // letters are drawn into a texture when they are first needed
    measured.time = bench::measure(effort, [&] { frame(app); });
    measured.vertices = ImGui::GetDrawData()->TotalVtxCount;
  }
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) texture->SetStatus(ImTextureStatus_Destroyed);
  ImGui::DestroyContext();
  return measured;
}

} // namespace

int main(int argc, char** argv) {
  const auto options = bench::read_options(argc, argv, "bench_frame");
  if (!options) return 2;
  const auto [json, smoke] = *options;
  bool good = true;
  if (json) std::printf("{\"platform\":\"%s\",\"version\":\"%s\",\"rows\":[", PLIMSOLL_BENCH_PLATFORM, std::string{io::version()}.c_str());
  else std::printf("%-44s %12s %12s %10s\n", PLIMSOLL_BENCH_PLATFORM, "median µs", "fastest µs", "vertices");
  for (const Row& row : kRows) {
    const Measured one = measure(row, smoke ? bench::kSmokeTest : bench::Effort{});
    good = good && one.vertices > 1000;
    if (json)
      std::printf("%s\n{\"id\":\"frame.%s\",\"what\":\"frame: %s\",\"median_ns\":%.0f,\"fastest_ns\":%.0f,\"vertices\":%d,\"allocations_per_call\":%.1f}", &row == kRows ? "" : ",", row.id,
                  row.what, one.time.median_ns, one.time.fastest_ns, one.vertices, one.time.allocations_per_call);
    else
      std::printf("%-44s %12.0f %12.0f %10d\n", row.what, one.time.median_ns / 1000, one.time.fastest_ns / 1000, one.vertices);
  }
  if (json) std::printf("\n]}\n");
  return good ? 0 : 1;
}

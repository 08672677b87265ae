# The app's typefaces, cut down to the characters it shows, in .deps/fonts. Sourced by scripts/setup.
# Unhinted and without layout features: 20 to 30 kB each instead of 300.

FONT_CHARACTERS='U+0020-007E,U+00A0-00FF,U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2022,U+2026,U+00D7,U+00F7'
FONT_CHARACTERS+=',U+2212,U+2264,U+2265,U+2248,U+00B7,U+2190-2193,U+25B8,U+25BE,U+2713,U+2715'

# Debian's package depends on NumPy, SciPy and their compilers, 0.5 GB of which cutting needs nothing: it is unpacked instead.
FONTTOOLS=$DEPS/fonttools
fetch_fonttools() {
  /usr/bin/python3 -c 'import fontTools.subset' 2>/dev/null && return
  rm -rf "$FONTTOOLS"
  mkdir -p "$FONTTOOLS"
  ( cd "$FONTTOOLS" && apt-get -o APT::Sandbox::User=root download -qq python3-fonttools )
  dpkg-deb -x "$FONTTOOLS"/python3-fonttools_*.deb "$FONTTOOLS"
}

subset_font() {  # package, file name in it, name of ours
  local file
  # by file, not by package: Debian 13 moved DejaVu's mono face into a package of its own, on which this one depends
  file=$(dpkg -S "*/$2" | sed -n '1s/^[^:]*: //p')
  # the fonttools package belongs to the system's own python
  PYTHONPATH=$FONTTOOLS/usr/lib/python3/dist-packages /usr/bin/python3 -m fontTools.subset "$file" --unicodes="$FONT_CHARACTERS" \
    --layout-features='' --no-hinting --output-file="$DEPS/fonts/$3"
  cp "/usr/share/doc/$1/copyright" "$DEPS/fonts/LICENSE.$1.txt"
}

subset_fonts() {
  fetch_fonttools
  rm -rf "$DEPS/fonts"
  mkdir -p "$DEPS/fonts"
  subset_font fonts-roboto-unhinted Roboto-Regular.ttf plimsoll-regular.ttf
  subset_font fonts-roboto-unhinted Roboto-Medium.ttf plimsoll-medium.ttf
  subset_font fonts-dejavu-core DejaVuSansMono.ttf plimsoll-mono.ttf
}

prepare_fonts() {
  local key
  key=$(stamp_key fonts.sh)
  stamped fonts "$key" && return 0
  step "fonts" "The packages python3-fonttools, fonts-roboto-unhinted and fonts-dejavu-core are used." subset_fonts
  stamp fonts "$key"
}

// Firefox asks for a file with a window of the system, which no protocol can press: another answers in its place.

/** Runs in the browser's own code: the next window that asks for a file is not opened, and `path` is chosen in it. */
export function answer_file_window(path) {
  const { Cc, Ci, Components, ChromeUtils, Services } = globalThis;
  const registrar = Components.manager.QueryInterface(Ci.nsIComponentRegistrar);
  const contract = '@mozilla.org/filepicker;1';
  const usual = registrar.contractIDToCID(contract);
  const own = Components.ID('{4d1d4a4e-62f5-4a4f-9c1c-0f9d5a2b7c31}');
  const file = Cc['@mozilla.org/file/local;1'].createInstance(Ci.nsIFile);
  file.initWithPath(path);

  const picker = {
    QueryInterface: ChromeUtils.generateQI(['nsIFilePicker']),
    init() {},
    appendFilter() {},
    appendFilters() {},
    filterIndex: 0,
    file,
    open(callback) {
      registrar.unregisterFactory(own, factory);
      registrar.registerFactory(usual, '', contract, null); // the usual one again
      Services.tm.dispatchToMainThread(() => callback.done(Ci.nsIFilePicker.returnOK));
    },
  };
  const factory = { QueryInterface: ChromeUtils.generateQI(['nsIFactory']), createInstance: (iid) => picker.QueryInterface(iid) };
  registrar.registerFactory(own, '', contract, factory);
}

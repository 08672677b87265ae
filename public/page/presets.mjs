// The catalogue as options for the lists of the form: what each field of kind "id" can be set to.

export function presets_of(catalog) {
  const option = (note_of) => (row) => ({ name: row.id, label: row.name, note: note_of(row) });
  const models = catalog.models.map(option((model) => model.family));
  const another_model = [{ name: '', label: 'the model itself', note: 'unless another is named' }, ...models];
  return {
    model: [...models, { name: 'custom', label: 'Custom model', note: 'every fact is yours' }],
    reference_model: another_model,
    reward_model: another_model,
    critic_model: another_model,
    teacher_model: another_model,
    device: catalog.devices.map(option((device) => `${device.vendor} ${device.class}`)),
    profile: catalog.profiles.map(option(() => '')),
    weight_dtype: (catalog.weight_formats ?? []).map(option((format) => format.engine)),
  };
}

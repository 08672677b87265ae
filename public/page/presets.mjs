// The catalogue as groups of options for the lists of the form.

const others = 'Other';

export function presets_of(catalog) {
  const option = ({ id, name }) => ({ name: id, label: name });
  return {
    model: [...grouped(catalog.models, (model) => model.family, option),
      { label: '', options: [{ name: 'custom', label: 'Custom: state its shape' }] }],
    device: grouped(catalog.devices, (device) => `${device.vendor} ${device.class}`, option),
    profile: [{ label: '', options: catalog.profiles.map(option) }],
  };
}

function grouped(rows, group_of, option) {
  const groups = new Map();
  for (const row of rows) {
    const label = group_of(row) || others;
    if (!groups.has(label)) groups.set(label, []);
    groups.get(label).push(option(row));
  }
  return [...groups].map(([label, options]) => ({ label, options }));
}

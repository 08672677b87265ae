export default {
  title: 'Notes on serving',
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === 'plimsoll-estimate' } } },
  vite: { optimizeDeps: { exclude: ['plimsoll'] } },
};

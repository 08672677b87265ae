export default {
  base: './',
  build: { target: 'es2022' },
  optimizeDeps: { exclude: ['plimsoll'] },
};

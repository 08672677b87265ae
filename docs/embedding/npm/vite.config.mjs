export default {
  base: './',
  build: { target: 'es2022' },
  worker: { format: 'es' }, // the estimator loads a part of itself, which other formats cannot
  optimizeDeps: { exclude: ['plimsoll'] },
};

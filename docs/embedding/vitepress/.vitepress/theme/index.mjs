import DefaultTheme from 'vitepress/theme';
import 'plimsoll/element';

export default DefaultTheme;

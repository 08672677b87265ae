// What people do on the page, each task once, and what must then be seen. Who does it, and with what hand, is said elsewhere.
//
// A task begins where the one before it ended; `at` is another beginning, `afresh` on a page just loaded. does(reader) does it. `asks` says what then is other in the
// question, `shows` what is other in the view, null standing for what is gone; `elsewhere`: another question, which only the doing tells.
// sees(reader, done) looks at the rest; `done` is what does() gave back. `uses_clipboard`: it copies or pastes.

import { asking } from './tasks/asking.mjs';
import { comparing } from './tasks/comparing.mjs';
import { formulas } from './tasks/formulas.mjs';
import { looking } from './tasks/looking.mjs';
import { mending } from './tasks/mending.mjs';
import { sharing } from './tasks/sharing.mjs';

export const tasks = [...asking, ...formulas, ...looking, ...comparing, ...sharing, ...mending];

// Timers and reminders; undefined where a board leaves them out.

import { TimerList } from "../system/timer-list.js";

const feature: typeof TimerList | undefined = TimerList;
export default feature;

import { load } from 'plimsoll';
import 'plimsoll/element'; // defines <plimsoll-estimate> in pages, does nothing elsewhere

const plimsoll = await load();
const answer = plimsoll.estimate({ model: 'llama-3-8b', device: 'rtx4090', batch: 4 });
console.log(answer.headline.verdict, answer.estimate.peak.text);

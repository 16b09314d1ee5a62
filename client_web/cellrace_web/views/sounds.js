/** Short sounds, made on the spot. Off unless they are wanted. */

/** @type {AudioContext | null} */
let context = null;
const TONES = /** @type {Record<string, number[]>} */ ({ move: [520], refused: [180], tick: [660], go: [880], won: [523, 659, 784, 1047] });

/** @param {string} name @param {boolean} wanted */
export function play(name, wanted) {
  if (!wanted || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  const from = context.currentTime;
  const audio = context;
  (TONES[name] ?? []).forEach((pitch, at) => {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.06, from + at * 0.11);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + at * 0.11 + 0.12);
    tone.connect(volume).connect(audio.destination);
    tone.start(from + at * 0.11);
    tone.stop(from + at * 0.11 + 0.13);
  });
}

// Synthesized sounds, off by default: a knock of wood for a move, a lower one for a capture, a chime for events.

import { settings } from "./settings.js";

let context = null;

function audio() {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  return context;
}

// A short tone that dies away.
function tone(frequency, { at = 0, seconds = 0.12, volume = 0.2, type = "sine" } = {}) {
  const output = audio();
  const start = output.currentTime + at;
  const oscillator = new OscillatorNode(output, { type, frequency });
  const gain = new GainNode(output, { gain: 0 });
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  oscillator.connect(gain).connect(output.destination);
  oscillator.start(start);
  oscillator.stop(start + seconds);
}

// Noise through a filter, as of wood on wood.
function knock(frequency, volume) {
  const output = audio();
  const length = Math.round(output.sampleRate * 0.06);
  const buffer = new AudioBuffer({ length, sampleRate: output.sampleRate });
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < length; index += 1) samples[index] = (Math.random() * 2 - 1) * (1 - index / length) ** 4;
  const source = new AudioBufferSourceNode(output, { buffer });
  const filter = new BiquadFilterNode(output, { type: "bandpass", frequency, Q: 1.5 });
  source.connect(filter).connect(new GainNode(output, { gain: volume })).connect(output.destination);
  source.start();
}

const SOUNDS = {
  move: () => knock(1100, 0.9),
  capture: () => {
    knock(700, 1.2);
    knock(1600, 0.5);
  },
  check: () => {
    knock(1100, 0.9);
    tone(880, { seconds: 0.18, volume: 0.08, type: "triangle" });
  },
  start: () => [523, 659, 784].forEach((frequency, index) => tone(frequency, { at: index * 0.09, volume: 0.1 })),
  end: () => [659, 523, 392].forEach((frequency, index) => tone(frequency, { at: index * 0.13, seconds: 0.3, volume: 0.1 })),
  win: () => [523, 659, 784, 1047].forEach((frequency, index) => tone(frequency, { at: index * 0.11, seconds: 0.3, volume: 0.1 })),
  low: () => [0, 0.15].forEach((at) => tone(988, { at, seconds: 0.1, volume: 0.12, type: "square" })),
  offer: () => [587, 880].forEach((frequency, index) => tone(frequency, { at: index * 0.12, volume: 0.1 })),
};

export function play(name) {
  if (!settings.sound) return;
  try {
    SOUNDS[name]();
  } catch (error) {
    console.info(error);
  }
}

// The sound of a move by its SAN.
export function playMove(san) {
  play(/[+#]/.test(san) ? "check" : san.includes("x") ? "capture" : "move");
}

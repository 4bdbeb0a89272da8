// Seeded mutations of valid input that imitate damaged or hostile files.

/** Returns an integer from 0 to `below - 1`. */
export type Random = (below: number) => number

/** Mulberry32: a small generator with the same sequence on every machine. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return below => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** Replaces, removes, duplicates, renames or swaps a part of the value at a random depth. */
export function mutateJson(value: unknown, random: Random): unknown {
  const places = placesIn(value)
  const place = places[random(places.length)]
  if (!place) return strange(random)
  const { parent, key } = place
  const other = places[random(places.length)]
  const change = random(8)
  if (change < 3) Reflect.set(parent, key, strange(random))
  else if (change < 4) Reflect.deleteProperty(parent, key)
  else if (change < 6 && other) Reflect.set(parent, key, structuredClone(Reflect.get(other.parent, other.key)))
  else if (change < 7 && other) Reflect.set(parent, other.key, structuredClone(Reflect.get(parent, key)))
  else if (Array.isArray(parent)) parent.push(structuredClone(parent[Number(key)]))
  else Reflect.set(parent, `${key}x`, Reflect.get(parent, key))
  return value
}

/** Changes, duplicates or removes some of the bytes. */
export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const changed = bytes.slice()
  for (let times = random(6); times >= 0; times--) changed[random(changed.length)] = random(256)
  const cut = random(4)
  const at = random(changed.length)
  if (cut === 0) return changed.slice(0, at)
  if (cut === 1) return new Uint8Array([...changed.slice(0, at), ...changed.slice(Math.max(0, at - random(50)))])
  return changed
}

type Place = { parent: object; key: string }

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.keys(value).flatMap(key => [{ parent: value, key }, ...placesIn(Reflect.get(value, key))])
}

function strange(random: Random): unknown {
  const values = [
    null,
    true,
    0,
    -1,
    1e308,
    '',
    ' ',
    '/',
    '../../x',
    'User',
    'Deal',
    'base/Deal',
    'all',
    '{a}{A}{m}{M}{o}'.repeat(10),
    'x'.repeat(10_000),
    '\u0000\uD800',
    '🐘',
    '__proto__',
    'toString',
    [],
    {},
    [[]],
    [null],
    ['User', {}],
    { name: 5 },
    { entityReference: {} },
    { source: { source: { source: 'User' } } },
    { traitReference: { traitReference: 'is.identifiedBy' } },
    { startingOrdinal: -1e9, maximumExpansion: 1e9 },
    nested(120),
    Array.from({ length: 1_000 }, (_, index) => `a${index}`),
  ]
  return structuredClone(values[random(values.length)])
}

function nested(depth: number): unknown {
  let value: unknown = []
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

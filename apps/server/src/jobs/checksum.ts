/** x to the power of 1, 2, 4, 8, … modulo the polynomial of CRC-32, in reversed bit order like the checksums. */
const powers = repeatedSquares(1 << 30)

/** The shift for `combineCrc`: x to the power of the part's length in bits. */
export function shiftOf(bytes: number): number {
  let shift = 1 << 31
  // Starts at x^8, because a byte has eight bits.
  for (let [rest, place] = [bytes, 3]; rest > 0; rest = Math.floor(rest / 2), place += 1) {
    if (rest % 2 === 1) shift = multiply(powers[place % 32] ?? 0, shift)
  }
  return shift
}

/** Combines the CRC-32 values of two adjacent parts without reading either. */
export function combineCrc(first: number, { crc, shift }: { crc: number; shift: number }): number {
  return (multiply(shift, first) ^ crc) >>> 0
}

/** Multiplies two polynomials modulo the one of CRC-32. */
function multiply(a: number, b: number): number {
  let result = 0
  for (let [bit, shifted] = [1 << 31, b]; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) result ^= shifted
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ 0xedb88320
  }
  return result
}

function repeatedSquares(first: number): number[] {
  const list = [first]
  for (let last = first; list.length < 32; list.push(last)) last = multiply(last, last)
  return list
}

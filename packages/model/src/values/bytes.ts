const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Decodes Base64 into hexadecimal digits; null for invalid Base64. */
export function readBytes(text: string): string | null {
  if (text.length % 4 !== 0 || !base64.test(text)) return null
  const bytes = atob(text)
  const digits = new Uint8Array(2 * bytes.length)
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes.charCodeAt(at)
    digits[2 * at] = digitOf(byte >> 4)
    digits[2 * at + 1] = digitOf(byte & 15)
  }
  return inParts(digits, part => part)
}

export function base64OfBytes(bytes: Uint8Array): string {
  return inParts(bytes, btoa)
}

/** Decodes an even number of hexadecimal digits. */
export function bytesOfHex(digits: string): Uint8Array {
  const bytes = new Uint8Array(digits.length >> 1)
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = (valueOf(digits.charCodeAt(2 * at)) << 4) | valueOf(digits.charCodeAt(2 * at + 1))
  }
  return bytes
}

/** A multiple of three, so that the Base64 text of a part has no padding. */
const part = 3 * 4096

/** Converts bytes to characters in parts, because a call cannot take millions of arguments. */
function inParts(bytes: Uint8Array, write: (part: string) => string): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += part)
    parts.push(write(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + part))))
  return parts.join('')
}

/** The code of a hexadecimal digit. */
function digitOf(value: number): number {
  return value < 10 ? 48 + value : 87 + value
}

function valueOf(code: number): number {
  return code <= 57 ? code - 48 : (code | 32) - 87
}

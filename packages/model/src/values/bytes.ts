const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Decodes Base64 into hexadecimal digits; null for invalid Base64. */
export function readBytes(text: string): string | null {
  if (text.length % 4 !== 0 || !base64.test(text)) return null
  return Array.from(atob(text), byte => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}

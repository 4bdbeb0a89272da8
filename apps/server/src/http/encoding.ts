export type Encoding = 'br' | 'gzip'

/** Returns the first offered encoding that the Accept-Encoding header accepts, else 'identity'. */
export function encodingOf<E extends Encoding>(accepted: string | undefined, offered: readonly E[]): E | 'identity' {
  const names = (accepted ?? '')
    .toLowerCase()
    .split(',')
    .filter(part => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map(part => part.split(';')[0]?.trim())
  return offered.find(name => names.includes(name)) ?? 'identity'
}

import type { Side } from '@cadmus/model/contract/comparison'

/** A side of a comparison as the address names it. The edits of a draft are not part of an address. */
export type SideCode = Exclude<Side, { kind: 'draft' }> | { kind: 'draft' }

/** The side as one word: `now`, `draft`, `version-1.0.0`, `build-4-1.0.0`, `manifest-7` or `manifest-7-1.0.0`. */
export function sideWord(side: SideCode): string {
  switch (side.kind) {
    case 'version':
      return `version-${side.version}`
    case 'build':
      return `build-${side.package}-${side.version}`
    case 'manifest':
      return side.version === null ? `manifest-${side.manifest}` : `manifest-${side.manifest}-${side.version}`
    default:
      return side.kind
  }
}

/** Reads the word made by sideWord; null for any other text. */
export function sideIn(word: string): SideCode | null {
  if (word === 'now' || word === 'draft') return { kind: word }
  const version = /^version-(.+)$/.exec(word)?.[1]
  if (version !== undefined) return { kind: 'version', version }
  const [, kind, digits = '', rest] = /^(build|manifest)-([1-9]\d{0,14})(?:-(.+))?$/.exec(word) ?? []
  const id = Number(digits)
  if (kind === 'manifest') return { kind, manifest: id, version: rest ?? null }
  return kind === 'build' && rest !== undefined ? { kind, package: id, version: rest } : null
}

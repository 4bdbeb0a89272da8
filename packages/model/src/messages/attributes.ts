import { formatCount } from '../display.ts'

/** Texts about changing, copying and moving several attributes. */
export const attributeTexts = {
  /** Properties of several chosen rows. */
  several: {
    values: '(several)',
    none: 'none',
    part: (some: number, all: number) => `Applies to ${some} of the ${all} chosen.`,
    notChanged: 'Not changed',
    more: (count: number) => `and ${formatCount(count)} more`,
  },
  /** Copies and moves of attributes between entities. */
  moves: {
    note: 'Their identity is kept. Saving one of the entities saves the move in both, and Undo takes it back in both.',
    keysStay: (names: string) => `${names} is the key and stays.`,
    conflicts: 'These names are in use there:',
    copied: (count: number, entity: string) => `Copied ${attributes(count)} to ${entity}, not saved yet.`,
    moved: (count: number, entity: string) => `Moved ${attributes(count)} to ${entity}, not saved yet.`,
    followed: (entity: string) => `The move was changed in ${entity} too.`,
    elsewhere: (entity: string, reason: string) => `${entity}: ${reason}`,
    notReturned: (names: string) => `The move cannot be taken back, because this has changed there: ${names}.`,
    bothWays: 'Attributes were moved from there to here. Save first.',
    here: 'The attributes are here already.',
    duplicate: 'Use Duplicate for copies in the same entity.',
  },
} as const

function attributes(count: number): string {
  return count === 1 ? '1 attribute' : `${formatCount(count)} attributes`
}

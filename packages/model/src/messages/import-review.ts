import { formatCount } from '../display.ts'

/** Sentences of the review of an import, by server and page. */
export const reviewTexts = {
  leftOut: (entities: number, attributes: number, relationships: number) =>
    `Left out as chosen: ${[
      counted(entities, 'entity', 'entities'),
      counted(attributes, 'attribute', 'attributes'),
      counted(relationships, 'relationship', 'relationships'),
    ].join(', ')}.`,
  ended: 'The review',
  read: 'The file was read. Nothing is imported yet.',
  discarded: 'The review has ended. Nothing was imported.',
  tooMany: 'Too many imports are under review in this organisation. Try again later.',
  unknownEntity: (index: number) => `The file has no entity ${index}.`,
  nothingLeft: 'All entities are left out.',
} as const

export function counted(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

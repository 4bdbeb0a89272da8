import type { DiagramData } from '../diagram/scene-of.ts'

/** Columns of a diagram: entities named by one word each, with three rows, and links such as 'Order>Customer'. */
export function diagramData(names: string, ...links: string[]): DiagramData {
  const all = names.split(' ')
  const indexOf = (name = '') => all.indexOf(name)
  const ends = links.map(link => link.split('>'))
  const own = { uid: 'manifest', name: 'Clinic', path: 'user-defined/Clinic', kind: 'own' as const }
  return {
    areas: [own],
    entities: {
      ids: all.map(name => idOf(name)),
      uids: all.map(name => `uid-${name}`),
      names: all,
      areas: all.map(() => 0),
      rows: all.map(() => 3),
      keyRows: all.map(name => 1 + links.filter(link => link.startsWith(`${name}>`)).length),
      locked: all.map(() => false),
    },
    links: {
      uids: links,
      from: ends.map(([from]) => indexOf(from)),
      to: ends.map(([, to]) => indexOf(to)),
      row: ends.map(() => 1),
      ends: ends.map(() => 0),
    },
  }
}

/** A name has the same id in all data. */
export function idOf(name: string): number {
  return Array.from(name, letter => letter.charCodeAt(0)).reduce((sum, code) => (sum * 31 + code) % 1_000_003, 7)
}

import type { EntityEditDefinition } from './entity-edit.ts'

/** Sets positions; the order of the lists is irrelevant. */
export const moveColumns: EntityEditDefinition<'moveColumns'> = {
  apply(content, { places }) {
    const positions = new Map(places.map(({ uid, position }) => [uid, position]))
    const moved = <T extends { uid: string; position: number }>(item: T): T => {
      const position = positions.get(item.uid)
      return position === undefined || position === item.position ? item : { ...item, position }
    }
    return {
      ...content,
      typeAttributes: content.typeAttributes.map(moved),
      entityAttributes: content.entityAttributes.map(moved),
    }
  },
  invert({ typeAttributes, entityAttributes }, { places }) {
    const positions = new Map(places.map(({ uid, position }) => [uid, position]))
    const back = [...typeAttributes, ...entityAttributes]
      .filter(({ uid, position }) => (positions.get(uid) ?? position) !== position)
      .map(({ uid, position }) => ({ uid, position }))
    return back.length > 0 ? [{ kind: 'moveColumns', places: back }] : []
  },
}

import type { EntityNode } from '../entity.ts'
import type { Problem } from '../problem.ts'
import { defaultValue } from '../rules/default-value.ts'
import { warning, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** Every choice is a value of its attribute: of its type, and no longer than it takes (the others are checked all the same). The first that is not is named. */
export function choiceTypes(entity: EntityNode, subject: Subject): Problem[] {
  return subject.declaredBy(entity).flatMap(item => {
    if (item.kind === 'foreignKey' || item.choices.length === 0) return []
    const type = { ...item.attribute, choices: [] }
    for (const choice of item.choices) {
      const message = defaultValue(choice, type)
      if (message === undefined) continue
      if (item.attribute.dataType === 'string' && defaultValue(choice, { ...type, maxLength: null }) === undefined) {
        return [warning('choicesLength', texts.choiceLength(item.name, choice, message), subject.pathTo(entity, item))]
      }
      return [warning('choicesType', texts.choice(item.name, choice, message), subject.pathTo(entity, item))]
    }
    return []
  })
}

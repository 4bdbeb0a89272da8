import type { EntityNode } from '../entity.ts'
import type { Problem } from '../problem.ts'
import { isFault, readChoice, readLiteral } from '../values/literal.ts'
import { warning, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/**
 * Reports the first choice of an attribute that exceeds the max length, or has another type, which disables the check
 * of choices.
 */
export function choiceTypes(entity: EntityNode, subject: Subject): Problem[] {
  return subject.declaredBy(entity).flatMap(item => {
    if (item.kind === 'foreignKey' || item.choices.length === 0) return []
    const path = subject.pathTo(entity, item)
    for (const choice of item.choices) {
      const read = readChoice(choice, item.attribute)
      if (isFault(read)) return [warning('choicesType', texts.choice(item.name, choice, read.fault), path)]
      const whole = readLiteral(choice, item.attribute)
      if (isFault(whole)) return [warning('choicesLength', texts.choiceLength(item.name, choice, whole.fault), path)]
    }
    return []
  })
}

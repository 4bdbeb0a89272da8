import { messages } from '../messages.ts'

/** Starts with a letter, holds letters, digits and single underscores, ends with a letter or digit. */
const pattern = /^[A-Za-z](?:_?[A-Za-z0-9])*$/

/** Pattern of entity, manifest, type attribute and foreign key names. Does not trim. */
export function namePattern(value: string): string | undefined {
  return pattern.test(value) ? undefined : [messages.namePattern, ...faultsOf(value)].join(' ')
}

/** Details that the specified message lacks; two consecutive underscores need none. */
function faultsOf(value: string): string[] {
  const { first, last, inside } = messages.nameFaults
  const firstFault = /^[^A-Za-z]/u.exec(value)?.[0]
  const lastFault = /[^A-Za-z0-9]$/u.exec(value.slice(-2))?.[0]
  const insideFault = /[^A-Za-z0-9_]/u.exec(
    value.slice(firstFault?.length ?? 0, value.length - (lastFault?.length ?? 0)),
  )?.[0]
  return [
    ...(firstFault === undefined ? [] : [first(firstFault)]),
    ...(insideFault === undefined ? [] : [inside(insideFault)]),
    ...(lastFault === undefined || value === firstFault ? [] : [last(lastFault)]),
  ]
}

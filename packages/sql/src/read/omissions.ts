import { ownDialectOf } from './weigh.ts'

const omissions = ['foreignKeys', 'indexes'] as const
/** What an option of exported scripts leaves out. */
export type Omission = (typeof omissions)[number]

/** What the header of an exported script says that it leaves out; other scripts have all that there is. */
export function omissionsIn(script: string): Omission[] {
  if (ownDialectOf(script) === undefined) return []
  const options = /^-- Options: (.*)$/m.exec(script.slice(0, 4000))?.[1]?.split(', ') ?? []
  return omissions.filter(name => options.includes(`${name} off`))
}

import type { Problem } from '@cadmus/model/problem'

/** A comment line for each note, with the place below the manifest. */
export function noteComments(notes: readonly Problem[]): string {
  const lines = notes.map(({ message, path }) => {
    const steps = path.filter(step => step.kind !== 'manifest').map(({ name }) => name.slice(0, 60))
    return `// ${[...(steps.length === 0 ? [] : [steps.join('.')]), message].join(': ').replaceAll(/\s+/g, ' ')}\n`
  })
  return lines.join('')
}

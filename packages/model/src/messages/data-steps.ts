import { conditionText } from '../conditions/text.ts'
import type { AppliedStep, DataStep, DataStepKind } from '../data-steps.ts'
import { formatCount, visibleText } from '../display.ts'
import { limits } from '../limits.ts'

const listed = 3

function mapText(values: readonly { from: string; to: string | null }[]): string {
  const shown = values
    .slice(0, listed)
    .map(({ from, to }) => `'${short(from)}' becomes ${to === null ? 'null' : `'${short(to)}'`}`)
  const more = values.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${formatCount(more)} more`] : [])].join(', ')
}

function short(text: string): string {
  return visibleText(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}

/** What a step does to the values of its attribute; the subject precedes it. */
export function appliedStepText(step: AppliedStep): string {
  switch (step.kind) {
    case 'fill':
      return `gets ${short(conditionText(step.value))} where it has no value.`
    case 'derive':
      return `becomes ${short(conditionText(step.value))}.`
    case 'map':
      return `is mapped: ${mapText(step.values)}.`
    case 'undo':
      if (step.values.length === 0) return 'is not mapped back: its values stay.'
      return `is mapped back: ${mapText(step.values.flatMap(({ from, to }) => (to === null ? [] : [{ from: to, to: from }])))}.`
    case 'drop':
      return 'cannot be computed back.'
  }
}

/** Texts of data steps. */
export const dataStepTexts = {
  changed: 'Changed data steps',
  heading: 'Data steps',
  none: 'No data steps: values stay where their types allow it.',
  add: 'Add Data Step',
  addTitle: 'New Data Step',
  editTitle: 'Data Step',
  deletion: 'Delete',
  edit: 'Edit',
  saved: (attribute: string) => `Saved the data step of ${visibleText(attribute)}`,
  deleted: (attribute: string) => `Deleted the data step of ${visibleText(attribute)}`,
  failed: 'The data steps could not be saved.',
  noEntity: 'The entity of this data step is not on both sides.',
  kind: 'Kind',
  kinds: { fill: 'Fill', map: 'Map', derive: 'Derive' } satisfies Record<DataStepKind, string>,
  hints: {
    fill: 'Records without a value get this one.',
    map: 'A line for each value, such as yes = true. Nothing after the sign is null. Other values stay.',
    derive: "From the attributes before, such as part(name, ' ', 1), concat(code, '-', suffix), price * 100, or name.",
  } satisfies Record<DataStepKind, string>,
  entity: 'Entity',
  attribute: 'Attribute',
  value: 'Value',
  values: 'Values',
  from: 'Up',
  back: 'Down',
  backHint: 'The value of the version before, from the attributes after. Without it, it is lost.',
  noLine: 'each line needs a value before and after an equals sign.',
  /** A line of the list. */
  line: (step: DataStep) => {
    const name = `'${short(step.attribute.name)}'`
    switch (step.kind) {
      case 'fill':
        return `${name} ${appliedStepText(step)}`
      case 'map':
        return `${name} ${appliedStepText(step)}`
      case 'derive': {
        const up = step.from ? `becomes ${short(conditionText(step.from))}` : 'is not computed'
        return `${name} ${up}; down ${step.back ? `it becomes ${short(conditionText(step.back))}` : 'it is lost'}.`
      }
    }
  },
  // Faults.
  inStep: (attribute: string, message: string) => `Data step of '${short(attribute)}': ${message}`,
  tooMany: `A manifest has at most ${formatCount(limits.dataSteps.max)} data steps.`,
  noAttribute: 'It needs an attribute.',
  noValues: 'It needs at least one value.',
  tooManyValues: `It maps at most ${formatCount(limits.dataSteps.values)} values of at most ${formatCount(limits.dataSteps.value)} characters.`,
  sameValue: (value: string) => `'${short(value)}' is mapped twice.`,
  noDirection: 'It needs a value up or down.',
  noName: (name: string) =>
    `It needs '${short(name)}', which the tables before do not have. Go through the version between first.`,
  between: (fault: string) => `${fault} Go through the version between first.`,
  unwritten: 'This database cannot compute it exactly.',
  merged: (values: string) => `had several values that became each of ${values}: which one is lost.`,
} as const

import { visibleText } from '../display.ts'
import { limits } from '../limits.ts'

/** Texts of checks. */
export const checkTexts = {
  // Of a text that is no condition.
  incomplete: 'The condition is incomplete.',
  unexpected: (sign: string) => `'${short(sign)}' is not expected here.`,
  unclosed: (sign: string) => `The ${sign} is not closed.`,
  unknownFunction: (name: string) => `There is no function '${short(name)}'.`,
  tooLarge: `A condition has at most ${limits.checks.nodes} parts, ${limits.checks.depth} levels and ${limits.checks.text.toLocaleString('en')} characters.`,
  // Of the types of its parts.
  unknown: (name: string) => `There is no attribute '${short(name)}'.`,
  noCondition: (part: string) => `'${short(part)}' is neither true nor false: compare it with something.`,
  noValue: (part: string) => `'${short(part)}' is a condition, not a value.`,
  noBoolean: (part: string) => `'${short(part)}' can be compared with true, false or a boolean attribute only.`,
  others: (part: string, left: string, right: string) => `'${short(part)}' compares ${left} with ${right}.`,
  noOrder: (part: string, type: string) =>
    `'${short(part)}' orders ${type}: databases disagree. Only = and <> are possible.`,
  uncompared: (part: string) => `'${short(part)}' cannot be compared. Only 'is null' is possible.`,
  needs: (part: string, operator: string, type: string) => `'${short(part)}': ${operator} needs ${type}.`,
  noInstantParts: (part: string) => `'${short(part)}' is a moment: its day depends on a time zone.`,
  inValues: (part: string) => `'${short(part)}' is in a list of values, which has literals only.`,
  maybeNull: (part: string) =>
    `'${short(part)}' may be null in concat: databases disagree. Write coalesce(${short(part)}, '').`,
  notExact: (part: string) => `'${short(part)}' has no exact number of digits: it cannot be calculated with.`,
  tooManyDigits: (part: string) => `'${short(part)}' may have more than ${limits.precision.max} digits.`,
  doubleDigits: (part: string) => `'${short(part)}' has more digits than a double.`,
  singleDigits: (part: string) => `'${short(part)}' is not exactly a number of single precision, such as 0.5.`,
  notA: (part: string, fault: string) => `'${short(part)}': ${fault}`,
  operands: (part: string) => `'${short(part)}' has the wrong number of operands.`,
  part: (part: string) =>
    `'${short(part)}': write part(text, ', ', 1) with a separator that does not overlap itself, and a number from 1 to 99.`,
  noAttribute: (part: string) => `'${short(part)}' has no attribute.`,
  // Of the check itself.
  name: `this must be at most ${limits.checks.name} characters long, without line breaks.`,
  message: `the message must be at most ${limits.checks.message} characters long.`,
  sameName: (name: string) => `A check with the name "${short(name)}" already exists.`,
  inCheck: (check: string, message: string) => `Check '${short(check)}': ${message}`,
  types: {
    number: 'a number',
    double: 'a double',
    single: 'a number of single precision',
    text: 'a text',
    boolean: 'a boolean',
    date: 'a date',
    time: 'a time',
    timestamp: 'a date and time',
    local: 'a local date and time',
    instant: 'a moment',
    guid: 'a guid',
    other: 'an object',
  },
  /** Of a violation without a message of its own. */
  violated: (condition: string) => `This must hold: ${condition}`,
  none: 'Records are not checked.',
  add: 'Add Check',
  addTitle: 'New Check',
  editTitle: 'Check',
  deletion: 'Delete Check',
  condition: 'Condition',
  conditionHint: 'Such as price >= 0 and (discount is null or discount < price). Unknown passes.',
  messageLabel: 'Message',
  messageHint: 'What a client reads whose record violates the check. Empty: the condition.',
  suggestions: 'Attributes and functions to insert',
  inheritedUnread: 'The inherited checks could not be read.',
  nameHint: 'The name of the constraint in databases. Empty: an automatic name.',
  /** Of a deletion. */
  losing: (checks: string) => `Checks that go: ${checks}.`,
} as const

function short(name: string): string {
  const text = visibleText(name)
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`
}

import { tip } from './Tooltip.tsx'

/** Why a control is disabled; none if it is enabled. */
export type Reason = string | false | null | undefined

/** Reasons that many controls have. */
export const reasons = {
  busy: 'Please wait until this is done.',
  field: (label: string, problem: string | undefined) => (problem === undefined ? undefined : `${label}: ${problem}`),
  select: (what: string) => `Select ${what} first.`,
  first: 'This is the first one.',
  last: 'This is the last one.',
}

/** Attributes of a disabled control, which stays focusable, so that the reason can be read. `label`: name of a control without text. */
export function disabledFor(reason: string, label?: string) {
  return {
    ...tip(label === undefined ? reason : `${label}. ${reason}`),
    'aria-disabled': true,
    'aria-description': reason,
  }
}

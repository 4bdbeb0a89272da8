/** Represents the hidden value of a secret in a conflict. */
export const hiddenValue: unique symbol = Symbol('hidden')

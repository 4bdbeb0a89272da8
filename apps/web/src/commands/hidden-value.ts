/** Stands in a conflict for the value of a secret: it is there, and nobody's to see. */
export const hiddenValue: unique symbol = Symbol('hidden')

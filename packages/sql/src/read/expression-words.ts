export const comparisons = new Set(['=', '<', '>', '<=', '>=', '<>', '!='])
/** Values that are asked for without parentheses. */
export const moments = new Set(
  `CURRENT_TIMESTAMP CURRENT_DATE CURRENT_TIME LOCALTIME LOCALTIMESTAMP SYSDATE SYSTIMESTAMP CURRENT_USER SESSION_USER USER
  CURRENT_ROLE`.split(/\s+/),
)
/** What a type may go on with. */
export const typeWords = new Set(
  'VARYING PRECISION WITH WITHOUT LOCAL TIME ZONE LARGE OBJECT UNSIGNED SIGNED INTEGER'.split(' '),
)

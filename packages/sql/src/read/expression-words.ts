export const comparisons = new Set(['=', '<', '>', '<=', '>=', '<>', '!='])
/** Functions that are called without parentheses. */
export const moments = new Set(
  `CURRENT_TIMESTAMP CURRENT_DATE CURRENT_TIME LOCALTIME LOCALTIMESTAMP SYSDATE SYSTIMESTAMP CURRENT_USER SESSION_USER USER
  CURRENT_ROLE`.split(/\s+/),
)
/** Words that continue the name of a type. */
export const typeWords = new Set(
  'VARYING PRECISION WITH WITHOUT LOCAL TIME ZONE LARGE OBJECT UNSIGNED SIGNED INTEGER'.split(' '),
)

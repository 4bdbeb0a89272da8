import { formatCount, visibleText } from '@cadmus/model/display'
import { classNames } from '../../../ui/class-names.ts'
import { sizeOf } from './json-rows.ts'
import styles from './JsonTab.module.css'

/** Characters of a text shown in a row. */
const maxShownLength = 300
/** Characters that fit in a row at any depth. */
const shortLength = 40

/** A value in its row: texts quoted as in JSON, lists and objects by size. */
export function JsonValue({ value, readOnly }: { value: unknown; readOnly: boolean }) {
  const size = sizeOf(value)
  if (size !== null) return <span className={styles['size']}>{sizeText(value, size)}</span>
  const isCut = typeof value === 'string' && value.length > maxShownLength
  const json = JSON.stringify(isCut ? `${value.slice(0, maxShownLength)}…` : value)
  const whole = visibleText(typeof value === 'string' ? value : json, { lines: true })
  const kind = value === null ? 'null' : typeof value
  return (
    <>
      <span className={styles['colon']}>: </span>
      <span
        className={classNames('mono', styles['value'], styles[kind], readOnly && styles['kept'])}
        title={json.length > shortLength ? whole : undefined}
      >
        {visibleText(json)}
      </span>
      {readOnly && <span className="visually-hidden"> read-only</span>}
    </>
  )
}

function sizeText(value: unknown, size: number): string {
  const [one, many] = Array.isArray(value) ? ['item', 'items'] : ['key', 'keys']
  return `${formatCount(size)} ${size === 1 ? one : many}`
}

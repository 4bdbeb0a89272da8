import { classNames } from './class-names.ts'
import type { Icon } from './Icon.ts'
import styles from './Segments.module.css'

export type SegmentsProps<V extends string> = {
  label: string
  /** With icons, only the label of the current option is shown if space is short. */
  options: readonly { value: V; label: string; icon?: Icon }[]
  value: V
  onChange: (value: V) => void
}

/** Two or three alternative views, one of which is shown. */
export function Segments<V extends string>({ label, options, value, onChange }: SegmentsProps<V>) {
  return (
    <fieldset className={classNames(styles['segments'], options.some(({ icon }) => icon) && styles['withIcons'])}>
      <legend className="visually-hidden">{label}</legend>
      {options.map(option => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          title={option.icon ? option.label : undefined}
          className={styles['segment']}
          onClick={() => onChange(option.value)}
        >
          {option.icon && <option.icon size={14} aria-hidden />}
          <span className={styles['words']}>{option.label}</span>
        </button>
      ))}
    </fieldset>
  )
}

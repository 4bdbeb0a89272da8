import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'
import { Keys } from './Keys.tsx'
import styles from './Tooltip.module.css'

export type TooltipProps = {
  text: string
  /** As in a command: 'mod+k'. */
  shortcut?: string
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** One element that takes a ref and pointer events. */
  children: ReactElement
}

/** Names an icon button on hover and focus, with its shortcut. The button still needs an aria-label. */
export function Tooltip({ text, shortcut, side = 'bottom', children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className={styles['positioner']}>
          <Base.Popup className={styles['popup']}>
            {text}
            {shortcut && <Keys shortcut={shortcut} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

import { Button } from '../../ui/Button.tsx'
import type { Icon } from '../../ui/Icon.ts'
import { ToolbarButton } from '../../ui/Toolbar.tsx'
import styles from './TopBar.module.css'

/** Button to another section; icon only in a small window. */
export function SectionButton({ icon, label, onClick }: { icon: Icon; label: string; onClick: () => void }) {
  return (
    <ToolbarButton
      render={
        <Button icon={icon} title={label} className={styles['way']} onClick={onClick}>
          <span>{label}</span>
        </Button>
      }
    />
  )
}

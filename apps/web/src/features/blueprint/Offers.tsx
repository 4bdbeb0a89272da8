import { blueprintTexts } from '@cadmus/model/messages/blueprint'
import { Button } from '../../ui/Button.tsx'
import styles from './Blueprint.module.css'

type OffersProps = { label: string; items: readonly { id: string; name: string; choose: () => void }[] }

const maxOffered = 3

/** The first of what a step lets users choose. One press chooses and answers the step. */
export function Offers({ label, items }: OffersProps) {
  if (items.length === 0) return null
  return (
    <p className={styles['offers']}>
      {label}
      {items.slice(0, maxOffered).map(({ id, name, choose }) => (
        <Button key={id} onClick={choose}>
          {blueprintTexts.use(name)}
        </Button>
      ))}
    </p>
  )
}

import { Button, Group, Modal, Radio, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/messages/processing";
import type { Reading } from "../../../domain/captions/calls";
import { RATES } from "../../../domain/captions/timecode";
import type { Waiting } from "./useImport";

const OWN = "own";

interface Props {
  waiting: Waiting;
  onImport: (reading: Reading) => void;
  onClose: () => void;
}

/** Asks for the frame rate of a file whose times count frames, and what to do with rows that roll up. */
export default function ReadingDialog({ waiting, onImport, onClose }: Props) {
  const [rate, setRate] = useState(OWN);
  const [rollUp, setRollUp] = useState<Reading["rollUp"]>("once");
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("transfer.importTitle", { name: waiting.file.name })}
      centered
    >
      <Stack>
        <Text size="sm">{t("transfer.framesExplained", { form: waiting.form.label })}</Text>
        <Select
          label={t("transfer.frameRate")}
          allowDeselect={false}
          data-autofocus
          data={[
            { value: OWN, label: t("transfer.ownRate") },
            ...RATES.map((each) => ({
              value: String(each),
              label: t("transfer.rate", { rate: each }),
            })),
          ]}
          value={rate}
          onChange={(value) => setRate(value ?? OWN)}
        />
        {waiting.form.rolls_up && (
          <Radio.Group
            label={t("transfer.rollUp")}
            description={t("transfer.rollUpHint")}
            value={rollUp}
            onChange={(value) => setRollUp(value as Reading["rollUp"])}
          >
            <Stack gap={6} mt={6}>
              <Radio value="once" label={t("transfer.rollUpOnce")} />
              <Radio value="screen" label={t("transfer.rollUpScreen")} />
            </Stack>
          </Radio.Group>
        )}
      </Stack>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t("transfer.cancel")}
        </Button>
        <Button onClick={() => onImport({ fps: rate === OWN ? null : Number(rate), rollUp })}>
          {t("transfer.import")}
        </Button>
      </Group>
    </Modal>
  );
}

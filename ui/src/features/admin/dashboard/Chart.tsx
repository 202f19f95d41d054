import { BarChart } from "@mantine/charts";
import "@mantine/charts/styles.css";

export interface Series {
  name: string;
  label: string;
  color: string;
}

interface Props {
  data: Record<string, string | number>[];
  series: Series[];
  format?: (value: number) => string;
}

/** Bars over time. Screen readers get the table beside it. */
export default function Chart({ data, series, format }: Props) {
  return (
    <div aria-hidden="true">
      <BarChart
        h={210}
        data={data}
        dataKey="at"
        type="stacked"
        series={series}
        valueFormatter={format}
        withLegend={series.length > 1}
        tickLine="none"
        gridAxis="x"
        maxBarWidth={34}
        // The chart is hidden from screen readers, so the keyboard must not reach it either.
        barChartProps={{ accessibilityLayer: false }}
        barProps={{ isAnimationActive: false }}
        xAxisProps={{ minTickGap: 24 }}
        yAxisProps={{ width: 56, tickFormatter: format }}
      />
    </div>
  );
}

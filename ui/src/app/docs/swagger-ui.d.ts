/** The part of Swagger UI that we use; the package ships no types. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Options {
    dom_id: string;
    url: string;
    deepLinking: boolean;
    validatorUrl: string | null;
    requestInterceptor: (request: { headers: Record<string, string> }) => unknown;
  }
  export default function SwaggerUI(options: Options): unknown;
}

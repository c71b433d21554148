/** What this page uses of the package, which brings no types. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  const SwaggerUI: (options: {
    domNode: HTMLElement;
    url: string;
    deepLinking?: boolean;
    validatorUrl?: null;
    persistAuthorization?: boolean;
    defaultModelsExpandDepth?: number;
    plugins?: ((system: never) => object)[];
    onComplete?: () => void;
  }) => unknown;
  export default SwaggerUI;
}
